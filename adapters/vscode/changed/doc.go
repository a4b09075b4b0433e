// Package changed holds what a log of changes is applied to: a JSON value whose members are
// set and whose lists grow ([Tree]), and a text that is edited by ranges of lines and
// columns ([Text]).
//
//	{"kind":1,"k":["requests",0,"result"],"v":{…}}    Tree.Set
//	{"kind":2,"k":["requests"],"v":[…]}               Tree.Push
//
// The work on one of them has a bound: a log that asks for more is refused.
package changed
