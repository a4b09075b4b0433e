package gate

import "strings"

// Family is the meaning of a rule. Rules of one family have the same weight in every
// language, so a table of another language needs no weights of its own. The zero Family is no
// family.
//
// Learnt weights name a family by its [Family.String]: the constants may be reordered, but a
// name must not change.
type Family uint8

// The families, with sentences in which a rule of them matches. The prefix is the kind:
//
//	Act    opens a clause: what the clause does
//	Mod    adds to an act: an option, a scope, a place
//	Ctx    context: what the sentence is about
//	Ask    a question
//	Offer  an offer of the assistant
//	Veto   a set phrase in which an act means nothing
const (
	NoFamily Family = iota

	// ActMake: "make the header sticky", "keep the old name".
	ActMake
	// ActChange: "change the colour to blue", "rename it", "switch to tabs".
	ActChange
	// ActMove: "put the button next to it", "store times in UTC".
	ActMove
	// ActUse: "use UUIDs", "go with tabs", "stick to one file".
	ActUse
	// ActReplace: "replace moment with date-fns".
	ActReplace
	// ActName: "name the command publish", "call it livez".
	ActName
	// ActShow: "display the age of the post".
	ActShow
	// ActDrop: "remove the endpoint", "drop Windows support", "scrap it".
	ActDrop
	// ActOrder: how something behaves: "sort by date", "limit it to ten", "retry twice".
	ActOrder
	// ActBuild: work: "add a test", "create the file".
	ActBuild
	// ActUpdate: work: "update the page", "refactor the parser".
	ActUpdate
	// ActEnsure: "make sure the order is kept".
	ActEnsure
	// ActFix: work: "fix the failing test".
	ActFix
	// ActCheck: work: "review this", "take a look".
	ActCheck
	// ActTell: an answer is wanted: "explain the flow", "make a plan".
	ActTell
	// ActRun: a command: "run the tests", "install it".
	ActRun
	// ActGit: "commit and push", "open a PR".
	ActGit
	// ActGoOn: "continue".
	ActGoOn
	// ActShould: "the buttons should be red", "it must return an empty list".
	ActShould
	// ActWeShould: "we should add tests".
	ActWeShould
	// ActCan: "the board can use gold", "we can leave them as they are".
	ActCan
	// ActWeDo: "so we drop the column".
	ActWeDo
	// ActIsValue: "the default port is 8080", "posts will always be sorted".
	ActIsValue
	// ActWant: "I want a table", "I'd like it sorted".
	ActWant
	// ActNeed: "we need a lock".
	ActNeed
	// ActPrefer: "I prefer named exports", "I'd rather keep one file".
	ActPrefer
	// ActDecided: "we decided on gRPC", "Decision: structured logs".
	ActDecided
	// ActOption: an option by its number or letter: "option 2", "go with B".
	ActOption
	// ActYes: "yes please", "go ahead".
	ActYes
	// ActAccept: "implement your suggestion".
	ActAccept
	// ActRevert: "go back to the single file", "scrap that".
	ActRevert
	// ActReject: "no", "I did not mean Oracle".
	ActReject
	// ActNever: "never touch the vendored files", "eval is banned in this project".
	ActNever
	// ActMustNot: "the schema must not be changed", "we will never use Redis".
	ActMustNot
	// ActShouldNot: "the buttons should not vanish".
	ActShouldNot
	// ActDont: "don't add new dependencies".
	ActDont
	// ActDontWant: "we do not want emojis".
	ActDontWant
	// ActDontLike: "I don't like the idea of a wrapper".
	ActDontLike
	// ActDontNeed: "we don't need suffixes".
	ActDontNeed
	// ActNoX: "no new dependencies", "no emdashes".
	ActNoX
	// ActAlways: "always squash commits", "from now on tests live next to the code".
	ActAlways

	// ModInsteadOf: "tabs instead of spaces", "a queue rather than polling".
	ModInsteadOf
	// ModNotBut: "JSON, not YAML", "not a class but a function".
	ModNotBut
	// ModInstead: "call it livez instead".
	ModInstead
	// ModFromTo: "from green to blue", "set the ttl to 120".
	ModFromTo
	// ModNamed: "a file called notes.md".
	ModNamed
	// ModActually: a change of mind: "actually make it 200", "no wait".
	ModActually
	// ModAlways: "always", "each time", "by convention".
	ModAlways
	// ModFromNowOn: "from now on", "going forward".
	ModFromNowOn
	// ModRemember: "keep in mind", "our convention", "house rule".
	ModRemember
	// ModEverywhere: "throughout", "across all", "every module must".
	ModEverywhere
	// ModBound: "at most 3", "up to 10", "200 ms".
	ModBound
	// ModDefault: "by default", "falls back to".
	ModDefault
	// ModMust: "must", "mandatory", "has to be".
	ModMust
	// ModOnly: "only", "solely", "nothing but".
	ModOnly
	// ModAll: "all", "each", "both".
	ModAll
	// ModState: a state that something is put in: "bigger", "optional", "thread-safe".
	ModState
	// ModColour: "red", "bold".
	ModColour
	// ModStyle: "font", "padding", "icon".
	ModStyle
	// ModPlace: "next to", "header", "above".
	ModPlace
	// ModIn: a place in prose or code: "in the parser", "at `main.go`".
	ModIn
	// ModWith: "with", "without", "using".
	ModWith
	// ModThat: a clause that describes: "which returns nil".
	ModThat
	// ModSoThat: a purpose: "so that", "to avoid".
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
	// ModVague: an act without an object of its own: "fix it", "do that".
	ModVague
	// ModPronoun: "it", "this", "everything".
	ModPronoun
	ModAlso
	ModRather
	ModTheX
	ModPlan
	// ModMeta: the talk itself: "session", "prompt", "subagent".
	ModMeta
	ModFile
	ModProduct
	// ModScope: when it is due: "for now", "later", "out of scope".
	ModScope
	// ModBe: forms of to be, which make a statement of a noun.
	ModBe

	// CtxWhatAbout: "what about", "any ideas", "does that make sense".
	CtxWhatAbout
	// CtxKnow: "do you know", "is there", "are you".
	CtxKnow
	// CtxSymptom: "error", "crashes", "wrong".
	CtxSymptom
	// CtxNotWorking: "doesn't work", "isn't shown".
	CtxNotWorking
	// CtxStill: "still", "again", "same error".
	CtxStill
	// CtxISaw: what a person observed: "I see", "I tried", "it says".
	CtxISaw
	// CtxYouDid: what the agent did: "you added", "you broke".
	CtxYouDid
	// CtxPast: "was", "happened", "has been".
	CtxPast
	// CtxPraise: "great", "looks good", "thanks".
	CtxPraise
	CtxOpinion
	CtxNow
	// CtxNoChange: work without edits is asked for: "don't change anything", "no code yet".
	CtxNoChange
	// CtxHedge: "maybe", "not sure", "if possible".
	CtxHedge
	CtxThink
	// CtxIfStart: what is only imagined: "what if", "suppose".
	CtxIfStart
	CtxReason
	// CtxIll: what the person does: "I'll", "let me".
	CtxIll
	// CtxPasteIntro: something is pasted next: "here is", "output", "following error".
	CtxPasteIntro
	// CtxReviewTalk: words of review comments: "nit", "consider", "this function".
	CtxReviewTalk
	CtxChat
	CtxThereIs
	// CtxErrand: an agent's tools and not the product: "use a subagent", "via the CLI".
	CtxErrand
	CtxCanYou
	CtxCanWe
	CtxShouldWe
	CtxPlease
	CtxLets
	CtxI
	CtxYou
	CtxWe

	// AskWh: "what", "why", "how".
	AskWh
	// AskAux: "is it", "does the", "should we".
	AskAux

	// OfferTech: a change to the product: "adding an index", "I can switch it to".
	OfferTech
	// OfferChore: a chore: "running the tests", "shall I commit".
	OfferChore

	// VetoPhrase: "no idea", "don't forget": the act in it is none.
	VetoPhrase
	// VetoClause: "check if we should use X": the modal verb orders nothing.
	VetoClause

	families
)

// Families is the number of families, NoFamily included.
const Families = int(families)

// IsAct reports whether the family opens a clause.
func (f Family) IsAct() bool { return ActMake <= f && f <= ActAlways }

// IsMod reports whether the family adds to an act.
func (f Family) IsMod() bool { return ModInsteadOf <= f && f <= ModBe }

// IsCtx reports whether the family is about the context of a sentence.
func (f Family) IsCtx() bool { return CtxWhatAbout <= f && f <= CtxWe }

// FamilyNamed returns the family with a name, and whether there is one.
func FamilyNamed(name string) (Family, bool) {
	at := strings.Index(familyNames, " "+name+" ")
	if at < 0 || name == "" || strings.Contains(name, " ") {
		return NoFamily, false
	}
	return NoFamily + 1 + Family(strings.Count(familyNames[:at], " ")), true
}

// String returns the name of the family, such as "act.use": its kind, a dot, and its meaning.
func (f Family) String() string {
	if f == NoFamily || f >= families {
		return ""
	}
	rest := familyNames[1:]
	for range f - 1 {
		_, rest, _ = strings.Cut(rest, " ")
	}
	name, _, _ := strings.Cut(rest, " ")
	return name
}

// familyNames has the names of the families in the order of the constants, with a space before
// and after each. Searching one string is faster than going through a list, and the tables
// name a thousand families.
const familyNames = " " +
	"act.make act.change act.move act.use act.replace act.name act.show act.drop act.order act.build " +
	"act.update act.ensure act.fix act.check act.tell act.run act.git act.go-on act.should act.we-should " +
	"act.can act.we-do act.is-value act.want act.need act.prefer act.decided act.option act.yes " +
	"act.accept act.revert act.reject act.never act.must-not act.should-not act.dont act.dont-want " +
	"act.dont-like act.dont-need act.no-x act.always mod.instead-of mod.not-but mod.instead mod.from-to " +
	"mod.named mod.actually mod.always mod.from-now-on mod.remember mod.everywhere mod.bound mod.default " +
	"mod.must mod.only mod.all mod.state mod.colour mod.style mod.place mod.in mod.with mod.that " +
	"mod.so-that mod.as mod.for mod.by mod.to mod.to-be mod.when mod.same mod.compare mod.number " +
	"mod.unit mod.allow mod.support mod.docs mod.tests mod.vcs mod.vague mod.pronoun mod.also mod.rather " +
	"mod.the-x mod.plan mod.meta mod.file mod.product mod.scope mod.be ctx.what-about ctx.know " +
	"ctx.symptom ctx.not-working ctx.still ctx.i-saw ctx.you-did ctx.past ctx.praise ctx.opinion ctx.now " +
	"ctx.no-change ctx.hedge ctx.think ctx.if-start ctx.reason ctx.ill ctx.paste-intro ctx.review-talk " +
	"ctx.chat ctx.there-is ctx.errand ctx.can-you ctx.can-we ctx.should-we ctx.please ctx.lets ctx.i " +
	"ctx.you ctx.we ask.wh ask.aux offer.tech offer.chore veto.phrase veto.clause "
