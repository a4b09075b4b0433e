package forbid

import (
	"strings"
	"unicode/utf8"
)

// chinese returns the form of a Chinese clause. There are no blanks, so words are found as
// pieces of text: those that forbid by themselves count anywhere with something to forbid
// beside them, "不要" and "别" only at the beginning, behind the words of chineseLead, and not
// before a word with which they console or compare.
func chinese(s string) Form {
	if ends(s, "吗 么 呢") || contains(s, "为什么 怎么 能不能 是不是 要不要 可不可以 会不会 如果 不知道 不要了 看不") {
		return None
	}
	for v := range strings.FieldsSeq("禁止 严禁 嚴禁 切勿 请勿 不得 不准 不许 不許 不允许 不允許 绝不 絕不 绝对不 絕對不 永远不 永遠不 千万别 千万不 千萬不 一律不 勿") {
		if k := strings.Index(s, v); k >= 0 && utf8.RuneCountInString(s) > utf8.RuneCountInString(v)+1 {
			if v == "不得" && contains(s, "不得不 不得已 巴不得 舍不得") || v == "禁止" && contains(s, "被禁止") {
				continue
			}
			if v == "切勿" || v == "请勿" || strings.HasPrefix(v, "千") || strings.HasPrefix(v, "永") || strings.HasPrefix(v, "绝") || v == "勿" {
				return Order
			}
			return Duty
		}
	}
	s = chineseLead(s)
	for _, v := range [...]string{"不要", "别", "別"} {
		rest, ok := strings.CutPrefix(s, v)
		if !ok || utf8.RuneCountInString(rest) < 2 || begins(rest, "紧 担心 擔心 着急 急 误会 忘 害怕 怕 介意 客气 的 人 处 名 说了 管我 有") {
			continue
		}
		return Order
	}
	for v := range strings.FieldsSeq("不能再 不可以 不可") {
		if strings.HasPrefix(s, v) && utf8.RuneCountInString(s) > utf8.RuneCountInString(v)+1 {
			return Duty
		}
	}
	if begins(s, "不能移除 不能删 不能刪 不能修改 不能改 不能动 不能写死 不能硬编码 不能使用 不能用 不能直接 不能过度 不能提交 不能泄露 不能暴露 不能依赖 不能引入 不能混用 不能省略 不能跳过 不能包含 不能覆盖") && !strings.HasSuffix(s, "了") {
		return Duty
	}
	if begins(s, "停止 禁用") && !strings.HasSuffix(s, "了") {
		return Order
	}
	return None
}

// chineseLead cuts off the words that may stand before an order, as often as there are some:
// "以后请你不要…" becomes "不要…".
func chineseLead(s string) string {
	for {
		cut := false
		for l := range strings.FieldsSeq("请你 请 請 你 您 以后 以後 之后 今后 后续 注意 记住 務必 务必 一定 也 都 再 但是 但 而且 并且 另外 同时 同時 所以 然后 先 这里 這裡 那里 此处 还有 并 且 就 最好 尽量 可以 暂时 千万 以及 其他 其它 我们 我 要求 代码里 代码中 测试里 项目里") {
			if r, ok := strings.CutPrefix(s, l); ok {
				s, cut = strings.TrimLeft(r, " "), true
			}
		}
		if !cut {
			return s
		}
	}
}

// japanese returns the form of a Japanese clause. The form is at the end of the clause:
// "ないでください" and "ないこと" order, "てはいけない" and "禁止" state a duty; "ない" alone tells, unless "絶対に"
// stands before it.
func japanese(s string) Form {
	if ends(s, "か かな のか でしょうか") || contains(s, "心配しな 気にしな 忘れな 遠慮しな 慌てな なければ なきゃ") {
		return None
	}
	switch {
	case ends(s, "ないでください ないで下さい ないでくださいね ないでほしい ないで欲しい ないでくれ ないでね ないでよ ないで ないでおいて ないでいただき ないでお願いします"),
		contains(s, "ないでください ないで下さい ないでほしい"):
		return Order
	case ends(s, "ないこと ないことにする ないことにして ないようにしてください ないように ないようお願いします ないようにお願いします ないようにね するな すな るな 勝手にせず"):
		return Order
	case contains(s, "禁止 厳禁 てはいけ てはなら ではいけ ではなら ちゃだめ ちゃダメ てはだめ てはダメ はダメ は駄目 のはNG はng") && !contains(s, "禁止され 禁止文"):
		return Duty
	case contains(s, "絶対に 決して 勝手に") && ends(s, "ない しません ません せず"):
		return Order
	}
	return None
}

// korean returns the form of a Korean clause. The verb ends in "지" and "마" or "말" follows it,
// with a blank or without; an underscore in the lists stands for a blank.
func korean(s string) Form {
	if contains(s, "걱정하지 걱정 신경_쓰지 잊지") || strings.HasPrefix(s, "왜") {
		return None
	}
	s = strings.TrimRight(s, " .~")
	w := strings.Fields(s)
	last, before := at(w, len(w)-1), at(w, len(w)-2)
	switch {
	case ends(before, "지") && begins(last, "마 말"), contains(last, "지마 지말"):
		return Order
	case contains(s, "지_말고 지말고 지_말것 지_마세요 지_말아 지_마라 지_말라"):
		return Order
	case ends(last, "금지") || last == "금지" || contains(s, "금지한다 금지합니다 금지해 금지야 금지임 금지입니다"):
		return Duty
	case ends(before, "면 서는 선") && begins(last, "안") && contains(last, "안돼 안됨 안된다 안됩니다 안되"), ends(at(w, len(w)-3), "면 서는 선") && before == "안" && begins(last, "돼 된 됨 됩 되"):
		return Duty
	case contains(s, "절대 절대로") && ends(s, "않는다 않기 마 말것 안 돼"):
		return Order
	}
	return None
}

// contains reports whether a text has one of some pieces, which blanks separate; _ stands for a blank.
func contains(s, pieces string) bool {
	for p := range strings.FieldsSeq(pieces) {
		if strings.Contains(s, strings.ReplaceAll(p, "_", " ")) {
			return true
		}
	}
	return false
}

// begins reports whether a text begins with one of some pieces.
func begins(s, pieces string) bool {
	for p := range strings.FieldsSeq(pieces) {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
