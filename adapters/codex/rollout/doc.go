// Package rollout knows what the records of a rollout say of themselves, whatever stands
// before and after them: whether a file is one ([Detect]), whose it is ([ReadMeta]), which
// thread a record was copied from ([Lineage]), whether a text is told for the second time
// ([Voices]), and what the tool says in a person's name ([IsContext]).
//
// What a record becomes is the parser's business, in the package above.
package rollout
