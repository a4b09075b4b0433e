// Package google reads what Gemini CLI and its fork Qwen Code both write: parts
// in the form of Google's API, the records of their tools, and the words that
// the clients put in a person's mouth.
//
// The two keep different logs. What stands in them is the same:
//
//	content   a string, a part, or a list of strings and parts; see [Parts]
//	voice     whose words a text is; see [Judge]
//	edit      a call of write_file, replace or edit, its answer, and the diff
//	          that the client made for the screen; see [Files.Of]
//	question  a call that put questions or a plan before the person
//
// The evidence for each fact stands where it is used, with the version of the
// client: recorded, seen in the wild, or read in its source.
package google
