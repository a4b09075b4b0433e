package check

import (
	"regexp"
	"strings"
)

// The words by which people forbid, as tables. A language that puts the verb last has
// its endings in prohibits.

// Reader reads what texts forbid. Its tables and forms are made once for all of them: a
// hook reads dozens while a person waits.
type Reader struct {
	token                             *regexp.Regexp
	cues, passives, insteads, passing [][]string
	verbs                             map[string]Act
	stems                             []stem
}

// NewReader returns a reader.
func NewReader() *Reader {
	return &Reader{
		token: tokenForm(), cues: cues(), passives: passives(), insteads: insteads(), passing: passing(), verbs: verbs(), stems: stems(),
	}
}

// cues returns what stands before what is forbidden.
func cues() [][]string {
	return split(`never; never ever; do not; do not ever; don't; don't ever; dont; don't you; don't you dare; must not; mustn't; should not; shouldn't; may not; can't depend; cannot depend; can not depend; no more; avoid; stop; quit; refrain from; forbid; steer clear of; stay clear of; nobody; no one; we dropped; we're dropping; we are dropping; we no longer; under no circumstances; told you not to; told you no; asked you not to; said not to; said no; make sure not to; be sure not to; be careful not to; try not to; better not; you can't; you can't just; you cannot; you cannot just;
		not allowed to; you are not to; no; not; don't want; don't want to see; do not want to see; never want to see; don't want you to; do not want; do not want you to; don't want to; we don't; we do not; we never; ban; hands off; keep away from; stay away from; keep off; keep your hands off;
		niemals; nie; kein; keine; keinen; keinerlei; nicht; finger weg von; auf keinen fall; hör auf; hört auf; verzichte auf; verzichtet auf; finger weg;
		jamais; ne; pas de; arrête de; arrêtez de; pas d; aucun; aucune; interdit de; interdiction de; ne jamais; n'utilise jamais; n'utilise pas; n'utilisez pas; n'utilisez jamais; n'ajoute pas; n'ajoute jamais; n'ajoutez pas; n'importe jamais; n'importe pas; n'édite pas; n'emploie pas; éviter; évite; évitez;
		no; nunca; jamás; prohibido; deja de; dejen de; evita; evitar; evite; ningún; ninguna;
		não; nunca; proibido; pare de; parem de; evite; nenhum; nenhuma; nada de;
		non; mai; vietato; evita; nessun; nessuna; niente;
		не; никогда не; никогда; нельзя; запрещено; запрещается; никаких`)
}

// passives returns what stands after what is forbidden.
func passives() [][]string {
	var made strings.Builder
	for be := range strings.FieldsSeq("is are") {
		for state := range strings.SplitSeq("forbidden|off limits|off-limits|banned|prohibited|disallowed|unacceptable|unwelcome|taboo|read-only|frozen|locked|sacred|sacrosanct|hands-off|blacklisted|a no-go|a no-no|a hard no|a non-starter|out of the question|off the table|never to be|no longer allowed|no longer welcome", "|") {
			made.WriteString(be + " " + state + "; ")
		}
		for state := range strings.SplitSeq("allowed|permitted|acceptable|accepted|tolerated|welcome|wanted|ok|okay|an option|to be|an acceptable|a solution|what we want", "|") {
			made.WriteString(be + " not " + state + "; " + be + "n't " + state + "; ")
		}
	}
	return split(made.String() + `off limits; off-limits; not allowed; must not be; must never be; must not; should not be; should never be; shouldn't be; mustn't be; may not be; may never be; can not be;
		stays untouched; stay untouched; stays as it is; stay as they are; stays as is; stay as is; has no place; have no place; has no business; must stay out of git; stays out of git; stay out of git;
		must not come back; must never come back; must not return; must never end up; should never end up; must not show up; must not appear; must never appear; get rejected; gets rejected; will be rejected;
		ist verboten; sind verboten; ist tabu; sind tabu; darf nicht; dürfen nicht; wird nicht; werden nicht; ist nicht erlaubt; sind nicht erlaubt; ist nicht gestattet; ist unerwünscht; sind unerwünscht; bleibt unangetastet; bleiben unangetastet;
		n'est pas autorisé; n'est pas autorisée; ne sont pas autorisés; n'est pas permis; ne sont pas permis; est proscrit; sont proscrits; est banni; est interdit; est interdite; sont interdits; sont interdites; ne doit pas être; ne doivent pas être; ne doit jamais être;
		no está permitido; no está permitida; no están permitidos; está prohibido; está prohibida; están prohibidos; no se toca; no se tocan; no se usa; no se debe; no debe; no deben; nunca se;
		não é permitido; não é permitida; não são permitidos; é proibido; é proibida; são proibidos; está proibido; não deve ser; não devem ser; não se mexe; não pode ser;
		non è permesso; non è consentito; non sono ammessi; è vietato; è vietata; sono vietati; non va; non vanno; non si tocca; non si usa; non deve; non devono;
		не допускается; не допускаются; не разрешено; под запретом; запрещён; запрещена; запрещены; запрещено; нельзя; не трогать; не использовать; не менять; не удалять`)
}

// insteads returns what stands before what was not chosen.
func insteads() [][]string {
	return split(`instead of; rather than; in place of; over; statt; anstatt; anstelle von; au lieu de; plutôt que; en lugar de; en vez de; em vez de; ao invés de; invece di; al posto di; вместо`)
}

// split returns phrases separated by ";" as lists of words.
func split(list string) [][]string {
	var all [][]string
	for s := range strings.SplitSeq(list, ";") {
		all = append(all, strings.Fields(s))
	}
	return all
}

// has reports whether list, words separated by bars, contains w. A list in one string
// is searched without building a map, which for lists of this size is as fast and costs
// nothing at the start of a program that may need only one of them.
func has(list, w string) bool {
	if w == "" || strings.Contains(w, "|") {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(w)
		if (at == 0 || list[at-1] == '|') && (end == len(list) || list[end] == '|') {
			return true
		}
		from = end
	}
}

// leading are cues that forbid only where a clause begins: "not npm", "no emojis".
func leading(w string) bool { return has("no|not|non|nicht|ban|stop|over", w) }

// isNo reports whether a token says that there is none of something: "no", "kein".
func isNo(t token) bool {
	return has("no|pas|kein|keine|keinen|aucun|aucune|ningún|ninguna|nenhum|nessun|никаких", t.low)
}

// opens are words that a clause may begin with before it forbids.
func opens(w string) bool {
	return has("please|but|aber|pero|and|also|again|so|ok|okay|remember|just|then|or|und|auch|bitte|et|aussi|y|e|por|favor|però|also|и|а|пожалуйста|rule|note|important|we|you|should|must|will|do|have|want|i|there|be|is|are|let's|i'd|like|que|se|usa|il|faut", w)
}

// adverb reports whether a word adds nothing to what is forbidden: "are strictly forbidden".
func adverb(t token) bool {
	return t.kind == word && has("absolutely|strictly|definitely|seriously|really|totally|completely|simply|generally|explicitly|expressly|strengstens|strikt|wirklich|strictement|absolument|estrictamente|absolutamente|estritamente|категорически|строго", t.low)
}

// reports says whether the word before a cue makes it a statement: "it never uses".
func reports(t token) bool {
	return t.kind == word && has("it|he|she|they|that|this|which|who|why|if|when|code|tests|test|page|server|app|still|es|das|il|elle|esto|eso|isso|это|как|если|почему|i've|it's|if", t.low)
}

// describes says whether a clause tells of a state: "if vendor is off limits".
func describes(part []token) bool {
	return part[0].kind == word && has("if|when|why|because|since|as|wenn|weil|si|quand|porque|se|если|почему", part[0].low)
}

// pardons returns the verbs after "don't" that forbid nothing.
func pardons(w string) bool {
	return has("know|think|understand|see|have|remember|worry|forget|need|care|mind|hesitate|only|just|sure|yet|necessarily|always|bother|let|vergiss|vergessen|oublie|olvides|esqueça|dimenticare|забудь|знаю|sé|sei|so", w)
}

// ends are words after which nothing more is named.
func ends(w string) bool {
	return has("because|since|as|so|when|if|while|until|to|for|with|by|use|using|weil|damit|um|für|mit|wenn|pour|avec|parce|si|para|con|porque|com|per|perché|se|для|чтобы|если|с|anymore|again", w)
}

// conditions begin what limits a prohibition.
func conditions(w string) bool {
	return has("without|unless|except|excepting|outside|apart|besides|until|before|other|ohne|außer|ausser|außerhalb|bevor|bis|sans|sauf|hors|avant|sin|salvo|excepto|fuera|antes|hasta|sem|exceto|fora|senza|tranne|eccetto|fuori|prima|без|кроме|вне|пока", w)
}

// joins connect names.
func joins(w string) bool {
	return has("or|and|nor|und|oder|noch|et|ou|ni|y|o|e|né|и|или|ни|the|any|der|die|das|le|la|les|el|los|las|os|as|il|lo|gli|i|also|even", w)
}

// common are words that are no names: articles, pronouns, places in a sentence, and
// nouns that mean anything at all.
func common(w string) bool {
	return joins(w) || has("a|an|any|anything|everything|something|all|some|new|more|other|another|this|that|these|those|it|them|our|my|your|its|here|there|now|ever|again|anymore|please|at|in|on|of|from|to|into|under|inside|within|below|by|with|for|file|files|code|stuff|things|thing|folder|directory|folders|directories|dir|module|modules|package|packages|library|libraries|single|usage|usages|calls|block|blocks|statement|statements|function|functions|method|methods|class|repo|repository|project|line|lines|path|paths|content|contents|place|way|only|just|ein|eine|einen|einem|neue|neuen|neuer|im|in|den|dem|des|diese|dieses|datei|dateien|ordner|verzeichnis|hier|mehr|un|une|des|du|de|d|dans|ici|plus|nouveau|nouvelle|nouvelles|nouveaux|fichier|fichiers|dossier|répertoire|una|unos|unas|nuevo|nueva|nuevas|nuevos|archivo|archivos|carpeta|aquí|más|em|no|na|nos|nas|do|da|dos|das|um|uma|novo|nova|novas|novos|arquivo|arquivos|pasta|aqui|mais|nel|nella|nuovo|nuova|nuove|nuovi|cartella|qui|più|del|della|в|на|из|новый|новые|новых|файл|файлы|файлов|папка|папку|папке|здесь|больше|этот|the|directly|manually|ever|raw|ganze|whole|entire|existing|third-party|external|extra|additional|additionnel|js|sie|es|du|tu|vous|usted|você|ich|ihr|als|wird|werden|be|being|been|is|are|se", w)
}

// verb returns the act that a word names.
func (r *Reader) verb(t token) (Act, bool) {
	if t.kind == han {
		for _, v := range r.stems {
			if strings.Contains(t.text, v.stem) {
				return v.act, true
			}
		}
		return "", false
	}
	if t.kind != word || exact(t.text) {
		return "", false
	}
	act, ok := r.verbs[t.low]
	if !ok && strings.HasSuffix(t.low, "s") { // "nobody touches"
		for _, end := range []string{"s", "es"} {
			if act, ok = r.verbs[strings.TrimSuffix(t.low, end)]; ok {
				break
			}
		}
	}
	return act, ok
}

// stem is the beginning of a verb, and the act that it means.
type stem struct {
	stem string
	act  Act
}

// stems returns the stems of verbs in languages without spaces between words.
func stems() []stem {
	return []stem{
		{"删", Remove},
		{"移除", Remove},
		{"削除", Remove},
		{"삭제", Remove},
		{"지우", Remove},
		{"消さ", Remove},
		{"重命名", Rename},
		{"改名", Rename},
		{"移动", Rename},
		{"リネーム", Rename},
		{"이름을 바꾸", Rename},
		{"跳过", Skip},
		{"スキップ", Skip},
		{"건너뛰", Skip},
		{"新增", Add},
		{"添加", Add},
		{"增加", Add},
		{"创建", Add},
		{"新建", Add},
		{"引入", Add},
		{"安装", Add},
		{"加新", Add},
		{"追加", Add},
		{"作成", Add},
		{"作ら", Add},
		{"増や", Add},
		{"导入", Use},
		{"추가", Add},
		{"생성", Add},
		{"만들", Add},
		{"설치", Add},
		{"修改", Touch},
		{"改动", Touch},
		{"更改", Touch},
		{"编辑", Touch},
		{"动", Touch},
		{"碰", Touch},
		{"触", Touch},
		{"变更", Touch},
		{"変更", Touch},
		{"編集", Touch},
		{"いじ", Touch},
		{"改", Touch},
		{"さわ", Touch},
		{"수정", Touch},
		{"변경", Touch},
		{"건드리", Touch},
		{"손대", Touch},
		{"편집", Touch},
		{"바꾸", Touch},
		{"使用", Use},
		{"用", Use},
		{"使わ", Use},
		{"사용", Use},
		{"쓰지", Use},
		{"呼", Use},
		{"调用", Use},
		{"写", Use},
		{"書", Use},
		{"import", Use},
	}
}

// verbs returns the acts that the forms of verbs name.
func verbs() map[string]Act {
	acts := map[string]Act{}
	for _, v := range []struct {
		act   Act
		forms string
	}{
		{Touch, `touch touching touched changes edits modifications änderungen cambios alterações modifiche изменений edit editing edited change changing changed modify modifying modified update updating updated upgrade upgrading upgraded bump bumping alter altering altered rewrite rewriting reformat reformatting format mess messing tamper commit committing push overwrite overwriting overwritten refactor
			anfassen angefasst ändern ändere geändert bearbeiten bearbeite bearbeitet anrühren aktualisieren verändern touche touchez toucher modifie modifiez modifier modifié change changez changer édite éditer toques tocar toca toque modifiques modificar modifique modifica cambies cambiar cambie edites editar edite altere alterar mexa mexer toccare tocca modificare modificate cambiare
			трогай трогать трогайте меняй менять меняйте изменяй изменять изменяйте правь править редактируй редактировать`},
		{Remove, `delete deleting deleted remove removing removed drop dropping dropped strip rm erase löschen lösche gelöscht entfernen entferne entfernt supprime supprimez supprimer supprimé enlève enlever borres borrar borre elimines eliminar elimine quites quitar remova remover apague apagar rimuovere rimuovi cancellare eliminare
			удаляй удалять удаляйте удали убирай стирай`},
		{Rename, `rename renaming renamed move moving moved umbenennen verschieben renomme renommer déplacer renombres renombrar mover renomeie renomear rinominare spostare переименовывай переименовывать перемещай`},
		{Skip, `skip skipping skipped disable disabling disabled überspringen deaktivieren désactive désactiver sauter saltes desactives desactivar pule desativar saltare disabilitare пропускай отключай`},
		{Add, `add adding added create creating created introduce introducing introduced install installing installed generate hinzufügen füge anlegen erstellen erstelle installieren installiere einführen ajoute ajoutez ajouter ajouté crée créez créer installe installer installez añadas añadir añade agregues agregar agregue crees crear cree instales instalar instale adicione adicionar crie criar acrescente aggiungere aggiungi creare installare
			добавляй добавлять добавляйте создавай создавать создавайте устанавливай устанавливать вводи`},
		{Use, `use using used run running execute import importing imported call calling called write writing depend rely log throw return export include reach reaching put putting pull pulling set setting leave verwende verwenden verwendet ausführen starte exécute exécuter ejecutes ejecutar execute executar eseguire запускай запускать nutze nutzen benutze benutzen benutzt importiere importieren schreibe aufrufen utilise utilisez utiliser utilisé importe importez importer emploie appelle appeler écris uses usar use usa importes importar llames llamar escribas utilices utilizar utilize utilizar chame escreva usare usate importare chiamare
			используй использовать используйте импортируй импортировать вызывай вызывать пиши`},
	} {
		for form := range strings.FieldsSeq(v.forms) {
			if _, ok := acts[form]; !ok {
				acts[form] = v.act
			}
		}
	}
	return acts
}

// prohibits reports whether a token of a language without word order for it forbids:
// 不要, 使わないで, 쓰지 마; and the German "nicht" after its object.
func prohibits(t token) bool {
	if t.kind != han {
		return t.low == "nicht" || t.low == "niemals" || t.low == "nie"
	}
	return anyIn(t.text, "不要", "别", "別", "禁止", "不准", "不许", "不得", "切勿", "勿", "绝不", "不能", "不可以", "严禁", "不允许", "不再用", "不应",
		"ないで", "しないこと", "てはいけ", "てはなら", "ではいけ", "ないように", "ダメ", "使わない", "触らない", "変更しない", "追加しない", "削除しない", "禁物",
		"지마", "지말", "금지", "안돼", "안됩", "않도록", "않게", "말아", "말 것", "마세요", "마라", "말고", "마십시오", "말라")
}

// isCommand reports whether a word is the name of a program that people forbid.
func isCommand(w string) bool {
	return has("git|npm|npx|yarn|pnpm|bun|deno|pip|pip3|pipenv|poetry|uv|conda|cargo|make|docker|docker-compose|podman|kubectl|helm|terraform|sudo|rm|curl|wget|apt|apt-get|brew|gulp|grunt|chmod|ssh|scp|bash|psql|mysql", w)
}

// insides begin the place where a prohibition holds.
func insides(w string) bool {
	return has("in|inside|within|under|im|innerhalb|dans|en|em|dentro|nel|nella|в|внутри", w)
}

// passing are words for the present piece of work.
func passing() [][]string {
	return split(`for this; for now; this time; yet; in this pr; in this commit; in this step; in this change; right now; today; for the moment; just now; this round; at this point; dafür; diesmal; heute; vorerst; noch; pour l'instant; cette fois; por ahora; esta vez; por enquanto; desta vez; per ora; пока; сейчас`)
}

// atHand reports whether a sentence is about the present piece of work alone: "for now,
// don't touch the parser". Such a rule applies to the session it was said in and to no
// other.
func (r *Reader) atHand(sentence []token) bool {
	for i := range sentence {
		for _, words := range r.passing {
			if startsWith(sentence[i:], words) {
				return true
			}
		}
		if sentence[i].kind == han && anyIn(sentence[i].text, "暂时", "先不", "先别", "这次", "今回", "とりあえず", "まだ", "이번", "아직", "지금은", "일단") {
			return true
		}
	}
	return false
}
