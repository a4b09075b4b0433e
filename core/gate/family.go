package gate

// Family is what a rule means, whatever its language. Rules of one family weigh
// the same. The zero Family is none.
type Family uint8

// The families. Those of one kind stand together.
const (
	NoFamily Family = iota

	// what is laid down or asked for; opens a clause
	ActMake
	ActChange
	ActMove
	ActUse
	ActReplace
	ActName
	ActShow
	ActDrop
	ActOrder
	ActBuild
	ActUpdate
	ActEnsure
	ActFix
	ActCheck
	ActTell
	ActRun
	ActGit
	ActGoOn
	ActShould
	ActWeShould
	ActCan
	ActWeDo
	ActIsValue
	ActWant
	ActNeed
	ActPrefer
	ActDecided
	ActOption
	ActYes
	ActAccept
	ActRevert
	ActReject
	ActNever
	ActMustNot
	ActShouldNot
	ActDont
	ActDontWant
	ActDontLike
	ActDontNeed
	ActNoX
	ActAlways

	// what makes an act concrete, or says how far it goes
	ModInsteadOf
	ModNotBut
	ModInstead
	ModFromTo
	ModNamed
	ModActually
	ModAlways
	ModFromNowOn
	ModRemember
	ModEverywhere
	ModBound
	ModDefault
	ModMust
	ModOnly
	ModAll
	ModState
	ModColour
	ModStyle
	ModPlace
	ModIn
	ModWith
	ModThat
	ModSoThat
	ModAs
	ModFor
	ModBy
	ModTo
	ModToBe
	ModWhen
	ModSame
	ModCompare
	ModNumber
	ModUnit
	ModAllow
	ModSupport
	ModDocs
	ModTests
	ModVcs
	ModVague
	ModPronoun
	ModAlso
	ModRather
	ModTheX
	ModPlan
	ModMeta
	ModFile
	ModProduct
	ModScope
	ModBe

	// what a sentence is about when it is not an act
	CtxWhatAbout
	CtxKnow
	CtxSymptom
	CtxNotWorking
	CtxStill
	CtxISaw
	CtxYouDid
	CtxPast
	CtxPraise
	CtxOpinion
	CtxNow
	CtxNoChange
	CtxHedge
	CtxThink
	CtxIfStart
	CtxReason
	CtxIll
	CtxPasteIntro
	CtxReviewTalk
	CtxChat
	CtxThereIs
	CtxErrand
	CtxCanYou
	CtxCanWe
	CtxShouldWe
	CtxPlease
	CtxLets
	CtxI
	CtxYou
	CtxWe

	// the forms of a question
	AskWh
	AskAux

	// what an assistant proposes
	OfferTech
	OfferChore

	// set phrases that only look like an act
	VetoPhrase
	VetoClause

	families
)

// Families is the number of families, NoFamily included.
const Families = int(families)

// IsAct reports whether the family opens a clause.
func (f Family) IsAct() bool { return ActMake <= f && f <= ActAlways }

// IsMod reports whether the family adds to an act.
func (f Family) IsMod() bool { return ModInsteadOf <= f && f <= ModBe }

// IsCtx reports whether the family tells what a sentence is about.
func (f Family) IsCtx() bool { return CtxWhatAbout <= f && f <= CtxWe }

// FamilyNamed returns the family of a name, and whether there is one.
func FamilyNamed(name string) (Family, bool) {
	for f := NoFamily + 1; f < families; f++ {
		if f.String() == name {
			return f, true
		}
	}
	return NoFamily, false
}

// String is the name of the family: its kind, a dot, and what it means.
func (f Family) String() string {
	names := [...]string{
		"",
		"act.make", "act.change", "act.move", "act.use", "act.replace", "act.name", "act.show", "act.drop",
		"act.order", "act.build", "act.update", "act.ensure", "act.fix", "act.check", "act.tell", "act.run",
		"act.git", "act.go-on", "act.should", "act.we-should", "act.can", "act.we-do", "act.is-value", "act.want",
		"act.need", "act.prefer", "act.decided", "act.option", "act.yes", "act.accept", "act.revert", "act.reject",
		"act.never", "act.must-not", "act.should-not", "act.dont", "act.dont-want", "act.dont-like",
		"act.dont-need", "act.no-x", "act.always",
		"mod.instead-of", "mod.not-but", "mod.instead", "mod.from-to", "mod.named", "mod.actually", "mod.always",
		"mod.from-now-on", "mod.remember", "mod.everywhere", "mod.bound", "mod.default", "mod.must", "mod.only", "mod.all",
		"mod.state", "mod.colour", "mod.style", "mod.place", "mod.in", "mod.with", "mod.that", "mod.so-that",
		"mod.as", "mod.for", "mod.by", "mod.to", "mod.to-be", "mod.when", "mod.same", "mod.compare", "mod.number",
		"mod.unit", "mod.allow", "mod.support", "mod.docs", "mod.tests", "mod.vcs", "mod.vague", "mod.pronoun",
		"mod.also", "mod.rather", "mod.the-x", "mod.plan", "mod.meta", "mod.file", "mod.product", "mod.scope",
		"mod.be",
		"ctx.what-about", "ctx.know", "ctx.symptom", "ctx.not-working", "ctx.still", "ctx.i-saw", "ctx.you-did",
		"ctx.past", "ctx.praise", "ctx.opinion", "ctx.now", "ctx.no-change", "ctx.hedge", "ctx.think",
		"ctx.if-start", "ctx.reason", "ctx.ill", "ctx.paste-intro", "ctx.review-talk", "ctx.chat", "ctx.there-is", "ctx.errand",
		"ctx.can-you", "ctx.can-we", "ctx.should-we", "ctx.please", "ctx.lets", "ctx.i", "ctx.you", "ctx.we",
		"ask.wh", "ask.aux",
		"offer.tech", "offer.chore",
		"veto.phrase", "veto.clause",
	}
	if int(f) >= len(names) {
		return ""
	}
	return names[f]
}
