package naming

import "strings"

// side is what becomes of what stands on one side of a frame.
type side uint8

const (
	nothing side = iota
	takes
	leaves
)

// frame is a word that says what becomes of what stands beside it.
type frame struct {
	text          string
	before, after side
	// pairs says that the frame is the second of two words that belong together, as "to"
	// in "rename a to b": it counts only behind the first.
	pairs bool
	opens bool // is such a first word
}

// group is frames that say the same, separated by bars.
type group struct {
	frame
	words string
}

// groups returns the frames by language: phrases with the side that they take or
// leave.
func groups() []group {
	take, leave := frame{after: takes}, frame{after: leaves}
	taken, left := frame{before: takes}, frame{before: leaves}
	return []group{
		// English.
		{take, "use|using|go with|make it|make the|put it in|put them in|store it in|save it to|going with|let's do|let's have|let's make|choose|chose|pick|prefer|keep|want to use|want|switch to|move to|migrate to|start with|stick with|stick to|rely on|relying on|add|set|enable|allow|should be|must be|has to be|have to be|needs to be|need to be|shall be|can be|lock in|leaning towards|leaning|only want|just want|re-use|reuse|apply|replace it with|based on|can live in|live in|lives in|called|named|rename it to|default to|limit to|limit it to|should show|should use|should have|should include|should support|should point to|should go to|point to|export to|save as|save it as|becomes|rewrite in|written in|instead use|instead do|just do|just use|would be|to be in|follow|include|stay on|stay with|rather have|would rather|try|make use of|has"},
		{leave, "remove|delete|drop|discard|get rid of|without|no need for|no need to|don't need|do not need|doesn't need|doenst need|not needed|don't want|do not want|dont want|don't|do not|dont|doesn't|never|avoid|stop|exclude|hide|skip|ditch|scrap|forget about|turn off|disable|not|no|no more|no longer|can't|cannot|cant|must not|should not|shouldn't|mustn't|instead of using|ignore|graduate beyond|worry about|move away from|moving away from|move off|undo|revert|opt out of|do without|get away from|not using|need not|rip out|take out|strip"},
		{frame{before: takes, after: leaves}, "instead of|rather than|in place of|as opposed to|over using"},
		{frame{before: leaves, after: takes}, "should be renamed to|should be renamed into|should be replaced with|should be replaced by|should be changed to|should become|must become|needs to become|is now called"},
		{left, "is not needed|are not needed|not necessary|is forbidden|is not allowed|are not allowed|must not be|should not be|shouldn't be|is out|isn't needed|can be removed|can go|is ot needed|is unnecessary"},
		{taken, "is fine|are fine|is enough|is ok|is better|would be better|works for me|sounds good"},
		{frame{opens: true}, "rename|change|replace|convert|switch from|migrate from|swap|turn"},
		{frame{before: leaves, after: takes, pairs: true}, "to|with|into|by"},
		// French.
		{take, "utilise|utiliser|utilisez|utilisons|garde|garder|gardons|gardez|on garde|prends|prend|prendre|choisis|choisir|préfère|préférerais|veux que|veux|voudrais|souhaite|pense à|mets|mettre|ajoute|ajouter|crée|créer|fais|faire|il faut|faut|réutiliser|fusionner|factoriser|part sur|partons sur|doit être|doivent être|doivent rester|plutôt|plutot|basé sur|appelle|uniquement avec|seulement avec|ne veux que|il s'agit de la|il s'agit du|il s'agit de|juste|uniquement|seulement|doit contenir|doit avoir|doivent avoir|opte pour|optons pour|passe à|passer à"},
		{leave, "enlève|enleve|enlever|supprime|supprimer|retire|retirer|efface|effacer|sans|pas de|plus de|pas d'|évite|éviter|n'utilise pas|ne veux pas|ne veux plus|voulais pas|ne|désactive|ne dois pas|ne devez pas|ne faut pas|ne fais pas|ne mets pas|ne doit pas contenir|ne doit pas avoir"},
		{frame{before: takes, after: leaves}, "au lieu de|au lieu d'|à la place de|plutôt que de|plutot que de|plutôt que|plutot que|et non"},
		{left, "ne doit pas|ne doivent pas|ne doit plus|ne sois pas|ne soit pas|n'est pas nécessaire|ne sert à rien|n'est plus utile"},
		{frame{opens: true}, "renome|renomme|renommer|remplace|remplacer|change|changer"},
		{frame{before: leaves, after: takes, pairs: true}, "en|par|pour"},
		// Spanish and Portuguese.
		{take, "usa|usar|use|usemos|utiliza|prefiero|quiero que|quiero|mantén|manten|elige|crea|crear|añade|agrega|pon|haz|debe ser|deben ser|tiene que ser|debe|quero que|quero|prefiro|mantenha|mantém|usando|crie|criar|adicione|coloque|faça|deve ser|devem ser|passa|passe para|vamos con|vamos com|ficar com|solo|sólo|solamente|apenas|somente|únicamente|debe tener|deben tener|deve ter|devem ter"},
		{leave, "quita|quitar|elimina|eliminar|borra|borrar|sin|no uses|no quiero|no quiero que|no debe|evita|nada de|remova|remover|tira|tirar|apague|sem|não use|não quero|não deve|não|evite|nunca|no usar|no uses esto|não usar|não podemos|no podemos|no se debe"},
		{frame{before: takes, after: leaves}, "en lugar de|en vez de|em vez de|ao invés de|no lugar de|y no|e não"},
		{frame{opens: true}, "cambia|cambiar|reemplaza|reemplazar|sustituye|renombra|troque|trocar|substitua|substituir|mude|mudar|renomeie"},
		{frame{before: leaves, after: takes, pairs: true}, "por|para"},
		// German.
		{take, "nutze|nutzen|verwende|verwenden|benutze|benutzen|nimm|nehmen|nehmen wir|ich will|ich möchte|möchte|behalte|soll|sollen|muss|erstelle|füge|mach|mache|baue|lieber|wir machen|nur|sondern|setze|soll sein|vorgesehen|ausschließlich|migriert werden"},
		{leave, "entferne|entfernen|lösche|löschen|ohne|kein|keine|keinen|nicht|vermeide|niemals|verzichte auf|streiche|raus aus|auf keinen fall"},
		{left, "soll nicht|soll gar nicht|sollen nicht|wird nicht|wird gar nicht|brauchen wir nicht|nicht mehr|muss raus|weglassen"},
		{frame{before: takes, after: leaves}, "statt|anstatt|anstelle von|anstelle|und nicht"},
		{frame{opens: true}, "ersetze|ersetzen|ändere|ändern|benenne|wechsle"},
		{frame{before: leaves, after: takes, pairs: true}, "durch|zu"},
		// Italian.
		{take, "usa|usare|usiamo|utilizza|preferisco|voglio che|voglio|tieni|mantieni|scegli|crea|aggiungi|metti|deve essere|devono essere|deve"},
		{leave, "togli|rimuovi|elimina|cancella|senza|non usare|non voglio|evita|non"},
		{frame{before: takes, after: leaves}, "invece di|al posto di|e non"},
		{frame{opens: true}, "cambia|sostituisci|rinomina"},
		{frame{before: leaves, after: takes, pairs: true}, "con"},
		// Russian.
		{take, "используй|использовать|используем|используйте|хочу чтобы|хочу|давай|нужно|нужна|нужен|надо|лучше|сделай|сделать|оставь|оставить|добавь|добавить|пусть|пиши|работай|говори|именно|должен быть|должна быть|должно быть|должны быть|должен|должна|должно|при помощи|с помощью|через|только"},
		{leave, "убери|убрать|удали|удалить|без|не нужно|не надо|не используй|не нравится|нельзя|никогда не|не|запрещено|избегай|исключи"},
		{frame{before: takes, after: leaves}, "вместо|а не"},
		{frame{before: leaves, after: takes}, "а нужно|а надо"},
		{left, "не нужен|не нужна|не нужно|не нужны|не нужно менять|больше не нужен"},
		{frame{opens: true}, "замени|заменить|поменяй|переименуй|измени|смени"},
		{frame{before: leaves, after: takes, pairs: true}, "на|в"},
		// Chinese.
		{take, "使用|采用|希望改为|希望按照|需要用|应该用|应该使用|应该按照|应该通过|选择|改用|换用|就用|只用|用|选|保留|只保留|复用|切到|切换到|按照|按|放在|放到|只支持|关注|基于|通过|要有|要有个|安装|内置安装|增加|新增|添加|设置为|设为|默认为|显示为|我想要|想要|想用|应该是|统一成|统一为|叫做|名称为|命名为|是否叫|配置|优先|优先读|优先使用|支持的是|沿用|采取|走|做成|显示成|保持"},
		{leave, "不要|不需要|不用|不再使用|不再|不使用|不能|不可以|不允许|不应该|不必|没有必要|没必要|无需|别再|别|禁止|避免|去掉|去除|删除|删掉|删了|移除|取消|隐藏|清理|跳过|暂不|先不做|先不|先skip|skip|不是|不再支持|不接受|不展示|不显示|不出现|不保留|不得|切勿|杜绝"},
		{frame{before: leaves, after: takes}, "改成用|改成|改为|改回|换成|替换成|替换为|变成|更名为|重命名为|代替为"},
		{frame{before: takes, after: leaves}, "而不是|代替|替代|取代|，不是|,不是| 不是"},
		{left, "就不需要了|不需要了|也不需要|不需要|不要了|都不要了|不要有了|都不要有了|不用了|去掉|删除|删掉|移除|取消|可以取消|先不做|不能写死|写死|弄那么大"},
		{taken, "就行|就可以|就可以了|即可|比较合适|更合适|更好|也可以|可以直接|吧"},
		// Japanese.
		{taken, "を使用|を使って|を使い|を使う|を使お|使います|使って|を採用|を選|を追加|をついか|を作成|を作|を入れ|を維持|を残|を活用|を起動|にしましょう|にします|にして|にする|にしよ|に変更|に統一|に変え|でいい|でお願い|でやって|で行|で進め|のほうで|の方で|がいい|が良い|もいい|もよい|だけで|で起動|でよい|に基づき|に基づいて|に従って|に移動|に移し|から読む|をコピー"},
		{left, "を削除|削除は|を消|を外|を除外|を除|をやめ|を使わ|使わない|は不要|はいらない|いらない|は使わ|とかなくて|なくていい|しなくていい|しないで|はしない|せず|は禁止|を禁止|しないよう|なしで|はダメ|はだめ|は駄目|はNG|はやめ|を除去|修正してはいけない|修正してはならない|変更してはいけない|変更してはならない|してはいけない|してはならない|使用禁止"},
		{frame{before: leaves, after: takes}, "ではなくて|ではなく|じゃなくて|じゃなく|の代わりに|から"},
		// Korean.
		{taken, "을 사용|를 사용|을 이용|를 이용|을 쓰|를 쓰|을 쓸|를 쓸|을 추가|를 추가|을 만들|를 만들|을 넣|를 넣|를 따르|을 따르|으로 가|로 가|으로 진행|로 진행|으로 하|로 하|로만 하|으로만 하|으로 해|로 해|로 변경|으로 변경|로 바꾸|으로 바꾸|로 바꿔|으로 바꿔|로 렌더|으로 통일|로 통일|이 동작|가 동작|였음 좋겠|이면 좋겠|면 돼|넣자|만 나오도록|만 나오게|쓰자"},
		{left, "을 없애|를 없애|은 없애|는 없애|을 제거|를 제거|제거해|을 삭제|를 삭제|은 삭제|는 삭제|삭제해|을 빼|를 빼|은 빼|는 빼|빼고|을 무시|를 무시|은 무시|는 무시|쓰지 마|하지 마|지 말|은 바꾸지|는 바꾸지|은 없게|는 없게|없이|사용 금지|금지|은 필요없|는 필요없|은 필요 없|는 필요 없"},
		{frame{before: leaves, after: takes}, "대신에|대신|말고|이 아니라|가 아니라"},
	}
}

// frames returns one frame for each phrase of groups.
func frames() []frame {
	var out []frame
	for _, g := range groups() {
		for w := range strings.SplitSeq(g.words, "|") {
			f := g.frame
			f.text = w
			out = append(out, f)
		}
	}
	return out
}
