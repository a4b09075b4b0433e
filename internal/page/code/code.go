// Package code highlights a line of source code: comments, strings, numbers and keywords, as
// far as one line shows them.
//
//	x := "a" // b     {"", "x := "} {"string", "\"a\""} {"", " "} {"comment", "// b"}
//
// Lines are looked at one by one, as a diff and a page of a file show parts only. So the inside
// of a comment or a string of several lines is not recognised, apart from a line that begins
// with "* " and ends the comment. A file of an unknown language is one token without a class.
package code

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a piece of a line. Class is comment, string, number, word, or "".
type Token struct{ Class, Text string }

// language is what has to be known of one.
type language struct {
	comment string // begins one that goes to the line's end
	quotes  string
	words   string // with blanks around each
}

const (
	cWords = " as async await bool break case catch chan class const continue def default defer delete do else enum export extends extern " +
		"fallthrough false final finally fn for from func function go goto if impl implements import in instanceof int interface let long loop map match mod mut " +
		"new nil null override package private protected pub public range return select self static string struct super switch this throw throws trait true try " +
		"type typeof undefined union unsafe use using var virtual void where while yield "
	hashWords = " and as assert async await break case class continue def del do done elif else end esac except exec exit export false fi finally for from function global " +
		"if import in is lambda let local module new nil nonlocal None not or pass raise require rescue return self set super then True False true try unless until when while with yield "
	sqlWords = " add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full " +
		"group having if in index inner insert into is join key left like limit not null on or order outer primary references returning right rollback select set table then " +
		"transaction trigger union unique update using values view when where with "
)

// languageOf returns the language of a file, by the end of its name; the zero value is none.
func languageOf(path string) language {
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "go", "js", "mjs", "cjs", "ts", "tsx", "jsx", "java", "c", "h", "cc", "cpp", "hpp", "cs", "rs", "swift", "kt", "scala", "dart", "php", "proto", "zig":
		return language{"//", "\"'`", cWords}
	case "py", "rb", "sh", "bash", "zsh", "pl", "r", "jl", "yml", "yaml", "toml", "ini", "tf", "mk", "ex", "exs":
		return language{"#", "\"'", hashWords}
	case "sql":
		return language{"--", "'\"", sqlWords}
	case "lua", "hs":
		return language{"--", "\"'", hashWords}
	case "json":
		return language{"", "\"", " true false null "}
	}
	return language{}
}

// Line takes a line of a file apart. The texts of the tokens are the line.
func Line(path, line string) []Token {
	l := languageOf(path)
	if l.words == "" {
		return []Token{{"", line}}
	}
	var s scanner
	for i := 0; i < len(line); {
		n, class := l.next(line[i:])
		s.add(class, line[i:i+n])
		i += n
	}
	return s.tokens
}

// scanner gathers tokens; those without a class grow together.
type scanner struct{ tokens []Token }

// add adds a token; plain text joins the token before.
func (s *scanner) add(class, text string) {
	if last := len(s.tokens) - 1; last >= 0 && class == "" && s.tokens[last].Class == "" {
		s.tokens[last].Text += text
		return
	}
	s.tokens = append(s.tokens, Token{class, text})
}

// next returns how many bytes the first token of a rest has, and its class.
func (l *language) next(rest string) (n int, class string) {
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case l.comment != "" && strings.HasPrefix(rest, l.comment):
		return len(rest), "comment"
	case l.comment == "//" && (strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "* ")):
		if end := strings.Index(rest, "*/"); end > 0 {
			return end + len("*/"), "comment"
		}
		if rest[0] == '/' {
			return len(rest), "comment"
		}
		return 1, ""
	case strings.ContainsRune(l.quotes, first):
		return quoted(rest), "string"
	case unicode.IsDigit(first):
		return while(rest, func(r rune) bool { return unicode.IsDigit(r) || unicode.IsLetter(r) || r == '.' || r == '_' }), "number"
	case first == '_' || unicode.IsLetter(first):
		n = while(rest, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
		word := rest[:n]
		if strings.Contains(l.words, " "+word+" ") || l.comment == "--" && strings.Contains(l.words, " "+strings.ToLower(word)+" ") {
			return n, "word"
		}
		return n, ""
	}
	return size, ""
}

// quoted returns the length of a string, which may have no end in the line.
func quoted(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		}
	}
	return len(rest)
}

// while returns the length of the longest beginning of s whose characters all fulfil
// is.
func while(s string, is func(rune) bool) int {
	for i, r := range s {
		if !is(r) {
			return i
		}
	}
	return len(s)
}
