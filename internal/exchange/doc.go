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
//
// An example with two machines, a and b. The columns are what each knows after the step:
//
//	step                                        on a            on b
//	a captures n1 and writes a/1 (clock 1)      n1 captured
//	b reads a/1, captures n2, writes b/1        n1 captured     n1 from a, clock 1; n2 captured
//	    (clock 2)
//	n1 changes on a, which writes a/2           n1 captured     as before
//	    (clock 2, since it has not read b/1)
//	both read what is new                       n2 from b       n1 from a, clock 2
//
// The content of a file, before it is compressed and encrypted:
//
//	{"schema":"memscribe.sync/v1","machine":"4f0c1b9d2a7e6603","number":2,"clock":2,"nodes":1}
//	{"schema":"memscribe.node/v1","node":"decision","id":"decision:94ab…",…}
//
// Bounds. 4 MiB of nodes are gathered for a file. At most 64 MiB of an encrypted file and 128
// MiB of its content are read. A run accepts at most 1,000 machines and 100 unreadable files.
//
// Where to find what:
//
//	exchange.go   Run: reading the others, then writing
//	sealed.go     the content of a file, and its encryption
//	known.go      the notes about a place
//	place.go      Place, and the folder of this machine
//	ssh.go        a folder of another machine
//	bucket.go     S3, and keys.go its credentials
package exchange
