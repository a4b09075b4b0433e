package title

import "strings"

// Word lists that show whether a sentence can be understood alone, in the languages that
// people write to agents in. If a word is missing, a title lacks context or has context that
// it does not need; it is never wrong.

// function reports whether a word has no meaning of its own, such as "the" or "we".
//
// All lists expect words in lower case. They are switch statements, which the compiler turns
// into a search without allocation: they run for every word around a decision.
func function(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "so", "if", "as", "at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "with", "up", "i", "i'd",
		"i'll", "i'm", "me", "my", "we", "we'll", "us", "our", "you", "your", "he", "she", "be", "is", "are", "was", "were", "been", "am", "do", "does",
		"did", "don't", "have", "has", "had", "can", "could", "will", "would", "should", "shall", "may", "might", "must", "let", "let's", "lets", "not",
		"no", "now", "then", "there", "here", "just", "only", "also", "too", "very", "please", "pls", "what", "which", "how", "why", "when", "where", "who", "about",
		"ahead", "any", "some", "all", "like", "want", "think", "sure", "really", "actually", "maybe", "than", "such", "its", "their":
		return true
	case "der", "die", "ein", "eine", "einen", "und", "oder", "aber", "ich", "wir", "du", "sie", "mir", "mich", "uns", "soll", "sollen", "ist", "sind", "bitte",
		"mit", "von", "zu", "zum", "zur", "auf", "für", "den", "dem", "nicht", "jetzt", "dann", "auch", "noch", "mal", "doch", "kann", "wie":
		return true
	case "le", "la", "les", "un", "une", "des", "de", "et", "ou", "je", "tu", "nous", "vous", "il", "elle", "est", "sont", "dois", "dans", "pour", "avec",
		"sur", "au", "aux", "pas", "ne", "plus", "que", "qui", "veux", "veut", "s'il", "vous-plaît", "plaît", "maintenant":
		return true
	case "el", "los", "las", "una", "y", "en", "con", "por", "para", "es", "son", "quiero", "debo", "debería", "ahora", "más", "yo", "del", "al", "os",
		"um", "uma", "e", "com", "não", "eu", "devo", "agora", "mais", "da", "na", "ao", "gli", "uno", "di", "per", "non",
		"che", "sono", "adesso", "più":
		return true
	case "и", "или", "но", "в", "на", "с", "по", "для", "не", "я", "мы", "ты", "вы", "мне", "нам", "ли", "же", "бы", "как", "что", "пожалуйста", "давай",
		"давайте":
		return true
	}
	return false
}

// assent reports whether a word begins an answer, or is one: "yes", "ok".
func assent(w string) bool {
	switch w {
	case "yes", "yeah", "yep", "yup", "ya", "y", "ok", "okay", "k", "sure", "good", "great", "perfect", "nice", "cool", "right", "correct", "exactly", "agreed",
		"agree", "sounds", "no", "nope", "nah", "n", "thanks", "thx", "go", "lgtm", "approved", "fine", "alright", "absolutely", "definitely", "neither",
		"both", "either":
		return true
	case "ja", "nein", "jo", "klar", "gerne", "gern", "passt", "gut", "genau", "oui", "non", "d'accord", "vas-y", "allez", "parfait", "bien", "sí", "si",
		"vale", "dale", "claro", "perfecto", "sim", "certo", "perfeito", "bom", "va", "bene", "perfetto", "да", "нет", "ок", "хорошо", "ага", "угу",
		"конечно", "네", "응", "예", "아니", "아니요", "좋아", "좋아요":
		return true
	}
	return false
}

// proceeding reports whether a word only asks to begin or to continue, such as "proceed".
func proceeding(w string) bool {
	switch w {
	case "proceed", "continue", "start", "begin", "implement", "implementing", "implementation", "do", "doing", "go", "going", "apply", "execute", "run",
		"ready", "look", "looks", "sound", "sounds", "know", "move", "forward", "commit", "push", "merge", "ship", "make", "write", "draft", "build",
		"create", "add", "fix", "work", "working", "get", "started", "starting", "change", "changes", "plan", "approach", "option", "options", "step",
		"steps", "next", "first", "phase", "help", "confirm", "approve", "approval", "proceeding", "prefer", "way", "thing", "things", "idea", "ideas",
		"suggestion", "design", "section", "far", "everything", "anything", "together", "directly", "immediately", "update", "updates", "fixes":
		return true
	case "umsetzen", "anfangen", "loslegen", "weitermachen", "fortfahren", "machen", "starten", "beginnen", "commencer", "continuer", "procéder", "faire",
		"implémenter", "proceder", "procedo", "procedere", "continuar", "empezar", "comience", "empiece", "hacer", "implementar", "começar", "prosseguir",
		"fazer", "iniziare", "procediamo", "iniziamo", "начать", "начинать", "приступить", "продолжить", "продолжать", "делать", "сделать", "реализовать",
		"진행할까요", "할까요", "시작할까요":
		return true
	}
	return false
}

// pronoun reports whether a word always means something named before, such as "it".
func pronoun(w string) bool {
	switch w {
	case "it", "it's", "its", "them", "they", "they're", "ones", "latter", "former", "es", "dasselbe", "ça", "cela", "ceci", "celui-ci", "celle-ci", "celui-là",
		"celle-là", "eso", "esto", "hazlo", "hágalo", "isso", "isto", "aquilo", "faça-o", "ciò", "fallo", "farlo", "это", "этого", "их", "его", "сделай",
		"그거", "그것", "이거", "이것", "그렇게", "그걸", "그걸로", "이걸로":
		return true
	}
	return false
}

// demonstrative reports whether a word means something named before, unless a noun follows:
// "that", but not in "that endpoint".
func demonstrative(w string) bool {
	switch w {
	case "this", "that", "that's", "these", "those", "same", "das", "dies", "diese", "dieses", "diesen", "so", "questo", "quello", "questa", "quella",
		"ese", "esa", "este", "esta", "этот", "тот", "эту":
		return true
	}
	return false
}

// lacksSubject reports whether a word begins a sentence whose subject is in the sentence
// before.
func lacksSubject(w string) bool {
	switch w {
	case "needs", "should", "must", "has", "is", "isn't", "doesn't", "shouldn't", "won't", "can't":
		return true
	}
	return false
}

// leans reports whether a sentence, in lower case, begins like one that explains the sentence
// before.
func leans(low string) bool {
	for _, o := range [...]string{"for example", "for instance", "e.g.", "such as ", "zum beispiel", "z.b.", "par exemple", "por ejemplo", "por exemplo", "per esempio", "например"} {
		if strings.HasPrefix(low, o) {
			return true
		}
	}
	return false
}

// clauseStart reports whether a word after "that" shows that it joins two clauses.
func clauseStart(w string) bool {
	switch w {
	case "the", "a", "an", "we", "i", "you", "it", "they", "all", "there", "our", "my", "your", "each", "every", "no", "any", "this", "these", "those", "he",
		"she":
		return true
	}
	return false
}

// reporting reports whether a word before "that" shows that it joins two clauses: "say that",
// "so that".
func reporting(w string) bool {
	switch w {
	case "so", "sure", "ensure", "say", "says", "think", "know", "see", "assume", "given", "noticed", "note", "make", "mean", "means", "remember", "such",
		"now":
		return true
	}
	return false
}

// placeholder reports whether a noun only refers to something named before, such as
// "approach" in "that approach".
func placeholder(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "approach", "approache", "way", "one", "option", "idea", "plan", "change", "thing", "fix", "fixe", "solution", "suggestion", "version", "proposal",
		"pattern", "direction", "choice", "issue", "problem", "part", "stuff", "point", "finding", "question", "two", "three", "case", "logic",
		"behavior", "behaviour", "error", "warning", "again", "instead", "first", "later", "back", "away", "off", "down":
		return true
	}
	return false
}

// announcing reports whether a word only says that something follows.
func announcing(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "oversight", "couple", "few", "several", "following", "note", "feedback", "comment", "remark", "tweak", "adjustment", "request", "correction":
		return true
	}
	return false
}

// leadsIn reports whether a sentence, in lower case, offers what follows it.
func leadsIn(low string) bool {
	for _, o := range [...]string{
		"want me to", "would you like", "do you want", "shall i", "should i", "if you", "i can", "i could", "i'd ", "next", "further", "options", "suggest", "recommend",
		"soll ich", "möchtest", "wenn du", "si tu", "veux-tu", "si quieres", "quieres", "se quiser", "quer que", "se vuoi", "vuoi", "хотите", "如果", "需要我", "要我", "可以", "よければ", "원하",
	} {
		if strings.Contains(low, o) {
			return true
		}
	}
	return false
}

// eastProceeding returns words that ask to begin or to continue, in scripts without blanks.
func eastProceeding() []string {
	return []string{"开始", "開始", "继续", "繼續", "执行", "執行", "进行", "実行", "实施", "实现", "提交", "お願い", "進めて", "続け", "진행", "시작"}
}

// offers reports whether a sentence, in lower case, offers to do something.
func offers(low string) bool {
	for _, o := range [...]string{
		"i'll ", "i will ", "i'd ", "i would ", "i can ", "i could ", "i suggest", "i recommend", "i propose", "suggest", "recommend", "we could ", "we can ", "let's ",
		"my plan", "the plan", "next step", "proposal", "option", "worth doing", "the fix is", "should be ", "ich würde", "ich werde", "ich schlage", "vorschlag", "ich kann", "je propose", "je peux", "je vais", "je suggère", "propongo", "puedo", "voy a",
		"sugiero", "posso", "vou ", "sugiro", "proponho", "suggerisco", "я могу", "предлагаю", "я бы", "建议", "我可以", "我会", "方案", "提案", "できます", "제안", "할 수 있습니다",
	} {
		if strings.Contains(low, o) {
			return true
		}
	}
	return false
}

// searching reports whether a sentence, in lower case, only says what the assistant will look
// at next.
func searching(low string) bool {
	for _, o := range [...]string{"let me ", "now let me", "i'm ", "i'll take a", "i'll inspect", "i'll trace", "i'll check", "i'll look", "i'll read", "i'll start by", "first, let me", "looking at", "good, ", "lass mich", "je vais regarder", "déjame", "deixa-me"} {
		if strings.HasPrefix(low, o) {
			return true
		}
	}
	return false
}

// plans reports whether the introduction of a list, in lower case, announces work.
func plans(low string) bool {
	for _, o := range [...]string{"plan", "propos", "approach", "i'll", "i will", "i'd", "steps", "changes", "next", "vorschlag", "würde", "je vais", "voy a", "vou ", "предлагаю", "计划", "方案", "提案", "계획"} {
		if strings.Contains(low, o) {
			return true
		}
	}
	return false
}

// reports reports whether a sentence, in lower case, says what was done.
func reports(low string) bool {
	for _, o := range [...]string{
		"i've ", "i have ", "i added", "i changed", "i made", "i moved", "i removed", "i updated", "i created", "added ", "changed ", "moved ", "removed ", "updated ", "created ", "fixed ", "implemented ",
		"replaced ", "switched ", "renamed ", "done", " now ", "now ", "habe ich", "ich habe", "j'ai ", "he añadido", "he cambiado", "adicionei", "alterei", "ho aggiunto", "добавил", "изменил", "сделал", "已", "しました", "했습니다",
	} {
		if strings.HasPrefix(low, o) || o[0] == ' ' && strings.Contains(low, o) || o[0] >= 0x80 && strings.Contains(low, o) {
			return true
		}
	}
	return false
}

// eastAssents returns words that begin answers, in scripts without blanks.
func eastAssents() []string {
	return []string{"是", "好", "对", "對", "行", "可以", "不", "嗯", "はい", "うん", "ええ", "いいえ", "お願い", "了解", "そう", "네", "예", "응", "아니", "좋"}
}

// eastPointers returns words that mean something named before, in scripts without blanks.
func eastPointers() []string {
	return []string{"这个", "這個", "那个", "那個", "这样", "這樣", "那样", "这么", "它", "此", "それ", "これ", "あれ", "その", "この", "そう", "그거", "그것", "이거", "이것", "그렇게", "그걸"}
}
