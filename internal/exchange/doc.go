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
package exchange
