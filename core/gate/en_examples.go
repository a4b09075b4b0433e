package gate

// exampled gives the rules that are only evidence their examples: a turn that
// each must find itself in, and one that it must not.
func exampled(rules []Rule) []Rule {
	for i := range rules {
		if must, mustNot := exampleOf(rules[i].Family); len(rules[i].Must) == 0 && must != "" {
			rules[i].Must, rules[i].MustNot = []string{must}, []string{mustNot}
		}
	}
	return rules
}

// exampleOf are the examples of a family of details or cues in English.
func exampleOf(f Family) (must, mustNot string) {
	switch f {
	case CtxErrand:
		return "use the browser tool to check the page", "use the browser cache for the page"
	case ModOnly:
		return "only show the last ten", "show the last ten"
	case ModAll:
		return "make every title bold", "make the title bold"
	case ModState:
		return "make columns optional", "make a commit"
	case ModColour:
		return "a red banner", "a banner"
	case ModStyle:
		return "more padding", "more cards"
	case ModPlace:
		return "put it next to the title", "put it away"
	case ModIn:
		return "put it in the header", "put it away"
	case ModWith:
		return "a table with two columns", "a table"
	case ModThat:
		return "an endpoint that returns the sum", "an endpoint"
	case ModSoThat:
		return "hide it so that no one sees it", "hide it"
	case ModAs:
		return "store it as an array", "store it"
	case ModFor:
		return "a column for the country", "a column"
	case ModBy:
		return "sort by name", "sort it"
	case ModTo:
		return "add it to the list", "add it"
	case ModToBe:
		return "I want it to be red", "I want it red"
	case ModWhen:
		return "hide it when the list is empty", "hide it"
	case ModSame:
		return "use the same colour", "use a colour"
	case ModCompare:
		return "a bigger logo", "a logo"
	case ModNumber:
		return "two columns", "columns"
	case ModUnit:
		return "30 seconds", "30 apples"
	case ModAllow:
		return "users can sort it", "sort it"
	case ModSupport:
		return "support yaml", "use yaml"
	case ModDocs:
		return "update the readme", "update the page"
	case ModTests:
		return "add a test", "add a page"
	case ModVcs:
		return "open a pr", "open a page"
	case ModVague:
		return "fix this", "fix the page"
	case ModPronoun:
		return "move it", "move the page"
	case ModAlso:
		return "also add tests", "add tests"
	case ModRather:
		return "a bit smaller", "smaller"
	case ModTheX:
		return "the title of the page", "a title"
	case ModPlan:
		return "make a plan", "make a page"
	case ModMeta:
		return "start a new session", "start a new page"
	case ModFile:
		return "move the file", "move the title"
	case ModProduct:
		return "move the button", "move the file"
	case ModScope:
		return "leave that for now", "leave that"
	case ModBe:
		return "the title is red", "a red title"
	default:
		return cueExample(f)
	}
}

func cueExample(f Family) (must, mustNot string) {
	switch f {
	case CtxWhatAbout:
		return "what about windows", "use windows"
	case CtxKnow:
		return "do you know it", "you know it"
	case CtxSymptom:
		return "there is an error", "there is a list"
	case CtxNotWorking:
		return "it does not work", "it works"
	case CtxStill:
		return "still red", "it is red"
	case CtxISaw:
		return "i see two entries", "two entries"
	case CtxYouDid:
		return "you forgot the tests", "add the tests"
	case CtxPast:
		return "it was slow", "make it fast"
	case CtxPraise:
		return "looks great, thanks", "make it blue"
	case CtxOpinion:
		return "it feels slow", "make it fast"
	case CtxNow:
		return "right now it is grey", "make it grey"
	case CtxNoChange:
		return "don't change anything yet", "change it"
	case CtxHedge:
		return "maybe use a map", "use a map"
	case CtxThink:
		return "i think a map is fine", "a map is fine"
	case CtxIfStart:
		return "what if we use a map", "use a map"
	case CtxReason:
		return "use a map because it is fast", "use a map"
	case CtxIll:
		return "i'll do that", "do that"
	case CtxPasteIntro:
		return "here is the log", "use a map"
	case CtxReviewTalk:
		return "consider using a map", "use a map"
	case CtxChat:
		return "hello, one question", "use a map"
	case CtxThereIs:
		return "there is a gap", "close the gap"
	case CtxCanYou:
		return "can you do that", "do that"
	case CtxCanWe:
		return "can we do that", "do that"
	case CtxShouldWe:
		return "should we do that", "do that"
	case CtxPlease:
		return "please do that", "do that"
	case CtxLets:
		return "let's do that", "do that"
	case CtxI:
		return "i know", "do that"
	case CtxYou:
		return "you know", "do that"
	case CtxWe:
		return "we know", "do that"
	case AskWh:
		return "why is it slow", "make it fast"
	case AskAux:
		return "should we use a map", "we should use a map"
	case OfferTech:
		return "I suggest adding a cache", "done"
	case OfferChore:
		return "proceed with rebasing", "done"
	case VetoPhrase:
		return "never mind", "never do that"
	case VetoClause:
		return "show me how it should work", "it should work"
	default:
		return "", ""
	}
}
