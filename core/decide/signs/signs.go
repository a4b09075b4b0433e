// Package signs searches a message of the assistant for evidence about a turn of the user: that
// it offers something, apologises, or explains. It looks for pieces of words in many languages.
//
// A sign has a name and a list of pieces. A text gives a sign if it contains one of the pieces:
//
//	"Sorry, I'll switch to tabs."   apologises ("sorry"), will do ("i'll "), changes ("switch")
//
// One piece proves little: "sorry" may be quoted. So signs are never rules. Each is a feature
// that package decide weighs together with all others, and its weight is learnt.
//
// The message before a turn is searched with [Before], for what the user may be answering; the
// reply to it with [Reply], for how the agent understood it. Adding a sign needs new weights
// (go generate ./core/decide); adding a piece to a sign does not, but changes its meaning.
package signs

import (
	"github.com/memscribe/memscribe/core/ahocorasick"
	"github.com/memscribe/memscribe/core/prose"
)

// Sign is something that a text can show.
type Sign struct {
	Name   string
	pieces []string // in lower case; one of them is enough
}

// Finder finds which signs a text gives, of at most 32: the results are sets of bits in a
// uint32. It reuses a buffer, so that it is not safe for concurrent use.
type Finder struct {
	Names  []string // of the signs; the index is the bit of the results
	pieces *ahocorasick.Automaton
	// A piece may belong to several signs, as "done" may.
	of  []uint32 // by piece: a bit for each sign that it gives
	buf []byte
}

// New returns a Finder of these signs. Each text is searched for all their pieces in one pass.
func New(all []Sign) *Finder {
	s := &Finder{}
	at := map[string]int{}
	var pieces []string
	for i, sign := range all {
		s.Names = append(s.Names, sign.Name)
		for _, p := range sign.pieces {
			k, known := at[p]
			if !known {
				k = len(pieces)
				at[p] = k
				pieces, s.of = append(pieces, p), append(s.of, 0)
			}
			s.of[k] |= 1 << i
		}
	}
	s.pieces = ahocorasick.New(pieces)
	return s
}

// In returns the signs of a text in lower case, a bit for each.
func (s *Finder) In(low string) (given uint32) {
	s.buf = append(s.buf[:0], low...)
	s.pieces.Find(s.buf, func(piece int32, _ int) { given |= s.of[piece] })
	return given
}

// InBoth returns the signs of a text, and those of a part of it, in one pass. The weights
// differ for the first sentence of a reply and for all of it. A piece that crosses the edge of
// the part counts for the text only.
func (s *Finder) InBoth(low string, part prose.Span) (given, inPart uint32) {
	s.buf = append(s.buf[:0], low...)
	s.pieces.Find(s.buf, func(piece int32, end int) {
		given |= s.of[piece]
		if end <= part.End && end-s.pieces.Len(piece) >= part.Start {
			inPart |= s.of[piece]
		}
	})
	return given, inPart
}

// Before returns the signs in the end of the message before a turn: whether the turn can be an
// answer to an offer, to a list of options, or to a report of finished work.
func Before() []Sign {
	return []Sign{
		{"offers", []string{
			"want me to", "would you like", "shall i", "should i", "do you want", "let me know", "would you prefer", "which one", "which option", "which approach",
			"要不要", "是否", "需要我", "voulez", "souhait", "veux-tu", "quieres", "deseas", "хотите", "quer que", "soll ich", "möchtest", "vuoi", "ますか", "でしょうか", "할까요", "드릴까요", "원하",
		}},
		{"has done", []string{"✅", " done", "complete", "fixed", "success", "passed", "完成", "已", "готово", "terminé", "listo", "fertig", "しました", "했습니다", "pronto", "feito"}},
		{"lists options", []string{"option a", "option 1", "option b", "\na)", "\na.", "**a", "方案", "オプション", "옵션", "opción", "opção", "вариант"}},
	}
}

// Reply returns the signs in the beginning of the reply to a turn. An apology or "from now on"
// is evidence that the turn decided something, an explanation that it asked. The languages are
// those of the labelled turns: English, Chinese, Japanese, Korean, French, Spanish, Portuguese,
// German, Italian and Russian. Pieces are in lower case; a space at an end stands for the edge
// of a word.
func Reply() []Sign {
	return []Sign{
		{"apologises", []string{"sorry", "apolog", "my mistake", "my bad", "you're right", "you're absolutely right", "you are right", "good catch", "désolé", "lo siento", "извин", "vous avez raison", "tienes razón", "ты прав", "вы прав", "抱歉", "你说得对", "您说得对", "你说的对", "确实", "申し訳", "すみません", "ご指摘", "おっしゃる", "죄송", "맞습니다", "맞아요", "desculp", "tem razão", "entschuldig", "hast recht", "du hast", "hai ragione", "scusa"}},
		{"will do", []string{"i'll ", "i will ", "let me", "i'm going to", "let's ", "je vais", "voy a", "vou ", "ich werde", "сейчас", "давай", "我来", "让我", "我会", "我将", "まず", "ます", "겠습니다", "할게", "vado", "ora "}},
		{"changes", []string{"add", "updat", "chang", "switch", "replac", "remov", "implement", "moving", "renam", "refactor", "creat", "rewrit", "convert", "drop", "delet", "simplif", "adjust", "modif", "edit", "修改", "更新", "改为", "改成", "添加", "删除", "实现", "移除", "替换", "调整", "actualiz", "cambi", "ajout", "supprim", "remplac", "обнов", "измен", "добав", "удал", "замен", "変更", "修正", "追加", "削除", "実装", "更新", "수정", "추가", "변경", "삭제", "제거", "구현", "änder", "hinzu", "entfern", "ersetz", "aggiun", "rimuov", "alter", "remov", "adicion"}},
		{"looks", []string{"check", "look", "read ", "reading", "find", "search", "explor", "examin", "review", "investigat", "analy", "understand", "verif", "inspect", "查看", "看看", "检查", "分析", "读取", "了解", "搜索", "regard", "vérifi", "revis", "посмотр", "провер", "確認", "調査", "調べ", "확인", "살펴", "조사", "prüf", "schau", "controll", "leggo", "verific"}},
		{"runs", []string{"run ", "running", "execut", "commit", "push", "test suite", "build", "deploy", "install", "restart", "运行", "执行", "提交", "启动", "安装", "推送", "запус", "実行", "コミット", "プッシュ", "起動", "실행", "커밋", "푸시", "재시작"}},
		{"explains", []string{"because", "the reason", "means", "here's how", "here's what", "here's why", "works by", "difference", "overview", "summary", "in short", " is a ", "因为", "原因", "区别", "说明", "总结", "意思", "parce que", "porque", "потому", "理由", "つまり", "ためです", "이유", "때문", "weil"}},
		{"asks", []string{"?", "？"}},
		{"has understood", []string{"understood", "got it", "makes sense", "noted", "agreed", "good idea", "good call", "good choice", "great idea", "will do", "compris", "entendu", "entendido", "понял", "принято", "明白", "好的", "理解", "收到", "没问题", "承知", "了解", "わかりました", "分かりました", "알겠습니다", "네,", "verstanden", "alles klar", "perfetto", "capito"}},
		{"remembers", []string{"remember", "from now on", "going forward", "always", "never", "instead", "claude.md", "agents.md", "memory", "convention", "rule", "policy", "prefer", "记住", "以后", "规则", "规范", "不再", "今後", "ルール", "앞으로", "규칙", "ahora en adelante", "désormais"}},
		{"has done", []string{"done", "updated", "fixed", "changed", "removed", "added", "created", "implemented", "committed", "pushed", "complete", "merged", "renamed", "moved", "now use", "now ha", "now show", "已", "完成", "✅", "готово", "hecho", "fait", "terminé", "listo", "しました", "했습니다", "완료", "fertig", "erledigt", "fatto", "feito", "pronto"}},
		{"denies", []string{"cannot", "can't", "don't have", "unable", "无法", "不能", "没有", "できません", "ありません", "없습니다", "не могу", "no puedo", "je ne peux"}},
		{"affirms", []string{"yes", "yep", "yeah", "oui", "sí", "да,", "ja,", "sim,", "是的", "对，", "可以", "はい", "네", "sì"}},
		{"finds", []string{"i see", "i found", "i can see", "i notice", "the issue", "the problem", "the error", "the bug", "root cause", "looks like", "it seems", "问题", "发现", "错误", "проблем", "ошибк", "problème", "problema", "原因", "問題", "エラー", "문제", "오류", "원인", "fehler"}},
		{"fails", []string{"api error", "limit reached", "interrupted", "invalid api key", "usage limit", "overloaded", "no response requested"}},
	}
}
