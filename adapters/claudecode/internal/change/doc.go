// Package change works out what an applied edit changed in its file.
//
// The client's own structuredPatch comes last, not first: it is made for the
// screen. In all versions seen it has each tab that a line begins with replaced
// by two spaces, so that 209 of 573 collected patches do not apply to the file
// (for no other reason), and 3 of 21 writes over a file have none. What is exact
// is the text before, if it is recorded or known from a read, with the edit done
// to it again. The order is that of [edit.Files.Of]; the patch gets its tabs back as far as
// they are known, and uncertain context is dropped.
package change
