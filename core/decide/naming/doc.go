// Package naming finds what a passage adopts and what it rejects, in ten languages.
//
// A frame is a word with a side. What stands on that side, up to the end of the clause, is
// taken or left:
//
//	use Postgres                     "use" takes what follows
//	Postgres instead of MySQL        "instead of" takes what stands before, leaves what follows
//	把渠道改成产品                     改成 leaves what stands before, takes what follows
//	npy 대신 npz로 가고                대신 leaves npy, 로 가 takes npz
//
// [Offered] reads what the assistant put up before, and which of it the turn takes.
// Where a language has no word for it here, nothing is named. All of it reads text, and needs
// no tokens: Chinese and Japanese have no blanks, and Korean words end in particles.
//
// The way of a passage to its options:
//
//	passage ── clauses ──┬── frames  "use X", "X instead of Y"   ┐
//	                     ├── names and values, capitals, code    ├─ candidates, each
//	                     ├── the clause as a whole               │  as taken and left
//	rules of English ────┤                                       │
//	message before ──────┴── what was put up to choose from      ┘
//	                                     │ signs: place, source, what others say
//	                                     ▼
//	                         a model weighs each; at most one of two that overlap is named
//
// A candidate is verbatim: its text stands at its offset in the turn, or in the message
// before. Bounds: [maxCandidates] a passage, [maxTokens] names a clause, [maxName]
// bytes a name.
//
// What is not handled: names over more than one sentence, pronouns ("use that one"
// names nothing unless a list was offered), and sentences that only make sense with a
// picture.
//
// Where to find what:
//
//	naming.go, candidate.go   Namer, and the candidates of a passage
//	clause.go                 where a clause ends, in each script
//	frames.go                 words with a side
//	offered.go                what the assistant put up to choose from
//	forbid.go                 sentences that forbid, and what they forbid
//	beside.go                 words beside a candidate, as signs for the model
package naming
