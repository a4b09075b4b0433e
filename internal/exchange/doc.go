// Package exchange exchanges nodes between a person's machines through a shared
// folder or bucket. Each machine adds files to a subfolder of its own, encrypted and
// numbered, and never changes one; it reads the files of the others in order, each
// once.
//
//	memscribe-sync-v1/
//	    4f0c1b9d2a7e6603/            a machine
//	        00000001.age             what it had when it first came
//	        00000002.age             what was new or changed then
//	    b81d77f0c95a2e14/            another one
//	        00000001.age
//
// A file holds nodes as lines of JSON, behind a line that says which file it is. What was
// captured on a machine stays there as it is, whatever others hold under the same id.
//
// Whose words count. Each file has a clock, one more than that of every file its
// machine had read or written (a Lamport clock). For a node that several machines hold:
//
//	captured here                       stays as it is here
//	forgotten here                      does not come back
//	came before, with a lower clock     replaced
//	equal clocks                        the greater name of a machine wins
//
// So all machines that have read the same files hold the same received nodes, in
// whatever order they met. A node that came from elsewhere is never sent on as one's
// own unless its words change here.
//
// Nothing at the place is trusted: names are checked by their form, files by the key
// (age), their header by the name, nodes by their schema, sizes by bounds. A file that
// cannot be read is set aside and named, and later files of that machine wait for it.
package exchange
