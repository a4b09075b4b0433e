package topic

// stop reports whether a word, in lower case, says nothing about the topic of a text:
// function words of the languages that people write to agents in, and words of any work.
func stop(w string) bool {
	switch w {
	case "the", "and", "but", "for", "nor", "not", "are", "was", "were", "been", "being", "has", "have", "had", "does", "did", "doing", "done", "can", "could",
		"will", "would", "should", "shall", "may", "might", "must", "let", "lets", "that", "this", "these", "those", "there", "here", "then", "than", "them",
		"they", "their", "theirs", "you", "your", "yours", "our", "ours", "his", "her", "its", "who", "whom", "whose", "which", "what", "when", "where",
		"why", "how", "all", "any", "some", "each", "every", "both", "either", "neither", "other", "another", "such", "same", "own", "only", "just", "also",
		"too", "very", "more", "most", "less", "least", "much", "many", "few", "lot", "bit", "now", "yet", "still", "already", "again", "ever", "never",
		"always", "once", "with", "without", "within", "from", "into", "onto", "over", "under", "about", "after", "before", "between", "through",
		"during", "until", "while", "because", "since", "though", "although", "unless", "whether", "instead", "rather", "else", "out", "off", "down",
		"away", "per", "via", "don", "doesn", "didn", "isn", "aren", "wasn", "won", "wouldn", "shouldn", "couldn", "haven", "hasn", "ain", "ll", "ve",
		"re", "dont", "cant", "wont", "im", "ive":
		return true
	case "please", "pls", "thanks", "thank", "yes", "yeah", "yep", "sure", "okay", "great", "good", "nice", "perfect", "right", "well", "actually", "really",
		"maybe", "perhaps", "think", "feel", "kind", "sort", "guess", "seem", "seems", "want", "wants", "need", "needs", "like", "prefer", "make", "makes",
		"making", "made", "use", "uses", "used", "using", "add", "adds", "added", "adding", "get", "gets", "got", "set", "sets", "put", "take", "takes",
		"give", "gives", "keep", "keeps", "see", "look", "looks", "know", "try", "way", "ways", "thing", "things", "something", "everything", "anything",
		"nothing", "one", "two", "first", "second", "next", "last", "new", "old", "able", "going", "come", "back", "work", "works", "working", "change",
		"changes", "changed", "update", "updates", "updated", "fix", "fixes", "fixed", "file", "files", "code", "line", "lines", "step", "steps",
		"option", "options", "proceed", "continue", "ahead", "start", "begin", "implement", "implementation", "create", "created", "write", "decide",
		"decided", "decision", "support", "supports", "supported", "feature", "features", "ensure", "include", "handle", "allow", "current", "currently", "based", "say", "says", "said", "tell", "tells", "show", "shows", "wrong", "went", "happen", "happens":
		return true
	case "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "und", "oder", "aber", "ich", "wir", "sie", "mir", "mich", "uns",
		"ist", "sind", "bitte", "mit", "von", "zum", "zur", "auf", "für", "nicht", "jetzt", "dann", "auch", "noch", "mal", "doch", "kann", "wie", "soll",
		"sollen", "les", "une", "est", "sont", "dans", "pour", "avec", "sur", "aux", "pas", "plus", "que", "qui", "nous", "vous", "elle", "los", "las",
		"una", "con", "por", "para", "del", "más", "quiero", "ahora", "uma", "com", "não", "mais", "agora", "gli", "che", "non", "sono", "или",
		"для", "как", "что", "это", "все", "нам", "мне":
		return true
	case "func", "return", "var", "const", "import", "export", "function", "true", "false", "null", "nil", "none", "string", "self", "class", "def", "public",
		"private", "static", "void", "int", "async", "await", "type", "package", "err", "error":
		return true
	}
	return false
}
