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
package naming
