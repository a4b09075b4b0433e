// Package changed applies logs of changes to a JSON value ([Tree]) and to a text
// edited by line and column ([Text]).
//
//	{"kind":1,"k":["requests",0,"result"],"v":{…}}    Tree.Set
//	{"kind":2,"k":["requests"],"v":[…]}               Tree.Push
//
// The work on one of them has a bound: a log that asks for more is refused.
package changed
