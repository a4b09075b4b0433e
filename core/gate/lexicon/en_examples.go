package lexicon

import "github.com/memscribe/memscribe/core/gate"

// exampled gives the rules that are only evidence their examples: a turn that
// each must find itself in, and one that it must not.
func exampled(rules []gate.Rule) []gate.Rule {
	for i := range rules {
		if must, mustNot := exampleOf(rules[i].Family); len(rules[i].Must) == 0 && must != "" {
			rules[i].Must, rules[i].MustNot = []string{must}, []string{mustNot}
		}
	}
	return rules
}

// exampleOf returns the examples of a family of details or cues in English.
func exampleOf(f gate.Family) (must, mustNot string) {
	switch f {
	case gate.CtxErrand:
		return "use the browser tool to check the page", "use the browser cache for the page"
	case gate.ModOnly:
		return "only show the last ten", "show the last ten"
	case gate.ModAll:
		return "make every title bold", "make the title bold"
	case gate.ModState:
		return "make columns optional", "make a commit"
	case gate.ModColour:
		return "a red banner", "a banner"
	case gate.ModStyle:
		return "more padding", "more cards"
	case gate.ModPlace:
		return "put it next to the title", "put it away"
	case gate.ModIn:
		return "put it in the header", "put it away"
	case gate.ModWith:
		return "a table with two columns", "a table"
	case gate.ModThat:
		return "an endpoint that returns the sum", "an endpoint"
	case gate.ModSoThat:
		return "hide it so that no one sees it", "hide it"
	case gate.ModAs:
		return "store it as an array", "store it"
	case gate.ModFor:
		return "a column for the country", "a column"
	case gate.ModBy:
		return "sort by name", "sort it"
	case gate.ModTo:
		return "add it to the list", "add it"
	case gate.ModToBe:
		return "I want it to be red", "I want it red"
	case gate.ModWhen:
		return "hide it when the list is empty", "hide it"
	case gate.ModSame:
		return "use the same colour", "use a colour"
	case gate.ModCompare:
		return "a bigger logo", "a logo"
	case gate.ModNumber:
		return "two columns", "columns"
	case gate.ModUnit:
		return "30 seconds", "30 apples"
	case gate.ModAllow:
		return "users can sort it", "sort it"
	case gate.ModSupport:
		return "support yaml", "use yaml"
	case gate.ModDocs:
		return "update the readme", "update the page"
	case gate.ModTests:
		return "add a test", "add a page"
	case gate.ModVcs:
		return "open a pr", "open a page"
	case gate.ModVague:
		return "fix this", "fix the page"
	case gate.ModPronoun:
		return "move it", "move the page"
	case gate.ModAlso:
		return "also add tests", "add tests"
	case gate.ModRather:
		return "a bit smaller", "smaller"
	case gate.ModTheX:
		return "the title of the page", "a title"
	case gate.ModPlan:
		return "make a plan", "make a page"
	case gate.ModMeta:
		return "start a new session", "start a new page"
	case gate.ModFile:
		return "move the file", "move the title"
	case gate.ModProduct:
		return "move the button", "move the file"
	case gate.ModScope:
		return "leave that for now", "leave that"
	case gate.ModBe:
		return "the title is red", "a red title"
	default:
		return cueExample(f)
	}
}

// cueExample returns a sentence that a cue of the family must match and one that it
// must not. The tests of the tables try them.
func cueExample(f gate.Family) (must, mustNot string) {
	switch f {
	case gate.CtxWhatAbout:
		return "what about windows", "use windows"
	case gate.CtxKnow:
		return "do you know it", "you know it"
	case gate.CtxSymptom:
		return "there is an error", "there is a list"
	case gate.CtxNotWorking:
		return "it does not work", "it works"
	case gate.CtxStill:
		return "still red", "it is red"
	case gate.CtxISaw:
		return "i see two entries", "two entries"
	case gate.CtxYouDid:
		return "you forgot the tests", "add the tests"
	case gate.CtxPast:
		return "it was slow", "make it fast"
	case gate.CtxPraise:
		return "looks great, thanks", "make it blue"
	case gate.CtxOpinion:
		return "it feels slow", "make it fast"
	case gate.CtxNow:
		return "right now it is grey", "make it grey"
	case gate.CtxNoChange:
		return "don't change anything yet", "change it"
	case gate.CtxHedge:
		return "maybe use a map", "use a map"
	case gate.CtxThink:
		return "i think a map is fine", "a map is fine"
	case gate.CtxIfStart:
		return "what if we use a map", "use a map"
	case gate.CtxReason:
		return "use a map because it is fast", "use a map"
	case gate.CtxIll:
		return "i'll do that", "do that"
	case gate.CtxPasteIntro:
		return "here is the log", "use a map"
	case gate.CtxReviewTalk:
		return "consider using a map", "use a map"
	case gate.CtxChat:
		return "hello, one question", "use a map"
	case gate.CtxThereIs:
		return "there is a gap", "close the gap"
	case gate.CtxCanYou:
		return "can you do that", "do that"
	case gate.CtxCanWe:
		return "can we do that", "do that"
	case gate.CtxShouldWe:
		return "should we do that", "do that"
	case gate.CtxPlease:
		return "please do that", "do that"
	case gate.CtxLets:
		return "let's do that", "do that"
	case gate.CtxI:
		return "i know", "do that"
	case gate.CtxYou:
		return "you know", "do that"
	case gate.CtxWe:
		return "we know", "do that"
	case gate.AskWh:
		return "why is it slow", "make it fast"
	case gate.AskAux:
		return "should we use a map", "we should use a map"
	case gate.OfferTech:
		return "I suggest adding a cache", "done"
	case gate.OfferChore:
		return "proceed with rebasing", "done"
	case gate.VetoPhrase:
		return "never mind", "never do that"
	case gate.VetoClause:
		return "show me how it should work", "it should work"
	default:
		return "", ""
	}
}
