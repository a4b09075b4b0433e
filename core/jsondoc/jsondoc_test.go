package jsondoc_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// parse returns the root of the value at the start of s.
func parse(t *testing.T, s string) jsondoc.Value {
	t.Helper()
	d := new(jsondoc.Doc)
	if _, err := d.Parse([]byte(s)); err != nil {
		t.Fatalf("Parse(%q): %v", s, err)
	}
	return d.Root()
}

func TestParseAccepts(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		kind jsondoc.Kind
	}{
		{`null`, 4, jsondoc.Null},
		{`true`, 4, jsondoc.Bool},
		{`false,`, 5, jsondoc.Bool},
		{`0`, 1, jsondoc.Number},
		{`01`, 1, jsondoc.Number}, // 0, and then 1
		{`-0.0e-0`, 7, jsondoc.Number},
		{`12345678901234567890.5E+3 `, 25, jsondoc.Number},
		{`""`, 2, jsondoc.String},
		{`"\"\\\/\b\f\n\r\t\u0000\uDEADé"`, 32, jsondoc.String},
		{"\"\x7f\xff\"", 4, jsondoc.String},
		{`[]`, 2, jsondoc.Array},
		{" \t\r\n[ \n] \n", 8, jsondoc.Array},
		{`[[],{},[{}],1,"",null]x`, 22, jsondoc.Array},
		{`{}`, 2, jsondoc.Object},
		{`{ "a" : 1 , "a" : { "" : [ ] } } {"b":2}`, 32, jsondoc.Object},
	}
	var d jsondoc.Doc
	for _, tt := range tests {
		n, err := d.Parse([]byte(tt.in))
		if n != tt.n || err != nil {
			t.Errorf("Parse(%q) = %d, %v; want %d", tt.in, n, err, tt.n)
		}
		if got := d.Root().Kind(); got != tt.kind {
			t.Errorf("Parse(%q): kind %v, want %v", tt.in, got, tt.kind)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		in     string
		offset int
		reason string
	}{
		{"", 0, "unexpected end of input"},
		{" \n", 2, "unexpected end of input"},
		{"\v1", 0, "expected a value"},
		{"\ufeff{}", 0, "expected a value"},
		{`}`, 0, "expected a value"},
		{`'a'`, 0, "expected a value"},
		{`NaN`, 0, "expected a value"},
		{`+1`, 0, "expected a value"},
		{`.5`, 0, "expected a value"},
		{`-`, 1, "unexpected end of input"},
		{`-x`, 1, "invalid number"},
		{`1.`, 2, "unexpected end of input"},
		{`1.e5`, 2, "invalid number"},
		{`1e`, 2, "unexpected end of input"},
		{`1e+ `, 3, "invalid number"},
		{`nul`, 3, "unexpected end of input"},
		{`nulL`, 3, "invalid literal"},
		{`True`, 0, "expected a value"},
		{`"`, 1, "unexpected end of input"},
		{`"a\`, 3, "unexpected end of input"},
		{`"a\"`, 4, "unexpected end of input"},
		{`"1234567\`, 9, "unexpected end of input"}, // where a word ends
		{`"\x41"`, 2, "invalid escape in a string"},
		{`"\'"`, 2, "invalid escape in a string"},
		{"\"\\\xe9\"", 2, "invalid escape in a string"},
		{`"\u12`, 5, "unexpected end of input"},
		{`"\u123"`, 6, "invalid hexadecimal digit in an escape"},
		{`"\u12g4"`, 5, "invalid hexadecimal digit in an escape"},
		{`"\u+123"`, 3, "invalid hexadecimal digit in an escape"},
		{"\"a\nb\"", 2, "control character in a string"},
		{"\"0123456789\x00\"", 11, "control character in a string"},
		{`[`, 1, "unexpected end of input"},
		{`[1`, 2, "unexpected end of input"},
		{`[,]`, 1, "expected a value"},
		{`[1,]`, 3, "expected a value"},
		{`[1 2]`, 3, "expected a comma or the end of the array"},
		{`[01]`, 2, "expected a comma or the end of the array"},
		{`[1}`, 2, "expected a comma or the end of the array"},
		{`[1:2]`, 2, "expected a comma or the end of the array"},
		{`{`, 1, "unexpected end of input"},
		{`{]`, 1, "expected a string as the name of a member"},
		{`{,}`, 1, "expected a string as the name of a member"},
		{`{1:2}`, 1, "expected a string as the name of a member"},
		{`{"a":1,}`, 7, "expected a string as the name of a member"},
		{`{"a"}`, 4, "expected a colon after the name of a member"},
		{`{"a" `, 5, "unexpected end of input"},
		{`{"a",1}`, 4, "expected a colon after the name of a member"},
		{`{"a":`, 5, "unexpected end of input"},
		{`{"a":}`, 5, "expected a value"},
		{`{"a"::1}`, 5, "expected a value"},
		{`{"a":1]`, 6, "expected a comma or the end of the object"},
		{`{"a":1 "b":2}`, 7, "expected a comma or the end of the object"},
		{`{"a":[{}}`, 8, "expected a comma or the end of the array"},
	}
	var d jsondoc.Doc
	for _, tt := range tests {
		if _, err := d.Parse([]byte(`["before"]`)); err != nil {
			t.Fatal(err)
		}
		n, err := d.Parse([]byte(tt.in))
		var got *jsondoc.SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("Parse(%q) = %d, %v; want a *SyntaxError", tt.in, n, err)
			continue
		}
		if diff := cmp.Diff(&jsondoc.SyntaxError{Offset: tt.offset, Reason: tt.reason}, got); diff != "" {
			t.Errorf("Parse(%q): (-want +got)\n%s", tt.in, diff)
		}
		if n != 0 || d.Root().Exists() {
			t.Errorf("Parse(%q) = %d, root %v; want 0 and absent", tt.in, n, d.Root().Kind())
		}
	}
}

func TestDepth(t *testing.T) {
	for _, level := range []struct{ open, inner, end string }{
		{"[", "", "]"},
		{`{"a":`, "0", "}"},
		{` [ 0, { "a" : `, "[]", `} ] `},
	} {
		per := strings.Count(level.open, "[") + strings.Count(level.open, "{")
		most := (jsondoc.MaxDepth - strings.Count(level.inner, "[")) / per
		for _, n := range []int{1, most, most + 1, 100_000} {
			s := strings.Repeat(level.open, n) + level.inner + strings.Repeat(level.end, n)
			var d jsondoc.Doc
			got, err := d.Parse([]byte(s))
			if n > most {
				if err == nil || !strings.Contains(err.Error(), "nested too deep") {
					t.Errorf("%d times %s: %v, want it refused as too deep", n, level.open, err)
				}
				continue
			}
			if want := len(strings.TrimRight(s, " ")); got != want || err != nil {
				t.Errorf("%d times %s: %d, %v; want %d", n, level.open, got, err, want)
			}
		}
	}
}

// TestTruncated holds Parse to what it promises of an input that is cut off.
func TestTruncated(t *testing.T) {
	whole := ` {"a\u00e9\n":[true,false,null,-1.5e+3,{"x":"` + strings.Repeat(`y\"`, 60) + `"}], "b" : {}}`
	var d jsondoc.Doc
	for n := range len(whole) {
		var err *jsondoc.SyntaxError
		if _, e := d.Parse([]byte(whole[:n])); !errors.As(e, &err) || err.Offset != n {
			t.Errorf("Parse(%q): %v, want an error at %d", whole[:n], e, n)
		}
	}
}

func TestGlued(t *testing.T) {
	b := []byte(`{"a":1}{"b":2}[3]"x"4 true` + "\r\n")
	var d jsondoc.Doc
	var got []string
	for len(bytes.TrimSpace(b)) > 0 {
		n, err := d.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(d.Root().Raw()))
		b = b[n:]
	}
	want := []string{`{"a":1}`, `{"b":2}`, `[3]`, `"x"`, `4`, `true`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestGet(t *testing.T) {
	v := parse(t, `{"a":1,"b":{"c":[0,{"a":"deep"}],"a":"inner"},"\u0061b":2,"é":3,"\u00e9\ud83d\ude00":4,
		"b":{"d":5},"a":6,"":7,"bad`+"\xff"+`":8,"bad`+"\xff\xfe"+`":9}`)
	tests := []struct {
		names []string
		want  string
	}{
		{[]string{"a"}, "6"},
		{[]string{"b"}, `{"d":5}`},
		{[]string{"b", "d"}, "5"},
		{[]string{"b", "c"}, ""},
		{[]string{"ab"}, "2"},
		{[]string{`\u0061b`}, ""},
		{[]string{"é"}, "3"},
		{[]string{"é😀"}, "4"},
		{[]string{""}, "7"},
		{[]string{"bad\ufffd"}, "8"},
		{[]string{"bad\ufffd\ufffd"}, "9"},
		{[]string{"bad\xff"}, ""},
		{[]string{"A"}, ""},
		{[]string{"a", "a"}, ""},
		{[]string{"c"}, ""},
		{nil, string(v.Raw())},
	}
	for _, tt := range tests {
		got := v.Path(tt.names...)
		if string(got.Raw()) != tt.want || got.Exists() != (tt.want != "") {
			t.Errorf("Path(%q) = %s, want %s", tt.names, got.Raw(), tt.want)
		}
	}
}

func TestIteration(t *testing.T) {
	v := parse(t, ` { "a" : [ 1 , [ 2 , 3 ] , { "x" : [ ] } , "s" ] , "b" : { } , "a" : null } `)
	var got []string
	for name, value := range v.Fields() {
		got = append(got, name.Str()+"="+string(value.Raw()))
		for e := range value.Elems() {
			got = append(got, string(e.Raw()))
		}
		for range name.Elems() {
			t.Error("a name has elements")
		}
	}
	want := []string{"a=[ 1 , [ 2 , 3 ] , { \"x\" : [ ] } , \"s\" ]"}
	for e := range parse(t, `[null,null]`).Elems() {
		for range e.Fields() {
			t.Error("null has fields")
		}
	}
	want = append(want, "1", "[ 2 , 3 ]", `{ "x" : [ ] }`, `"s"`, "b={ }", "a=null")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, tt := range []struct {
		in   string
		want int
	}{{`[]`, 0}, {`[[1,2],3]`, 2}, {`{}`, 0}, {`{"a":[1,2,3],"a":2}`, 2}, {`"abc"`, 0}, {`12`, 0}} {
		if n := parse(t, tt.in).Len(); n != tt.want {
			t.Errorf("%s has %d parts, want %d", tt.in, n, tt.want)
		}
	}
	for name := range v.Fields() { // stops when told to
		if !name.Is("a") {
			t.Error("first member is not a")
		}
		break
	}
	for range v.Get("a").Elems() {
		break
	}
}

func TestNumbers(t *testing.T) {
	type result struct {
		Int     int64
		IsInt   bool
		Float   float64
		IsFloat bool
	}
	tests := []struct {
		in   string
		want result
	}{
		{`0`, result{0, true, 0, true}},
		{`-0`, result{0, true, math.Copysign(0, -1), true}},
		{`42`, result{42, true, 42, true}},
		{`9223372036854775807`, result{math.MaxInt64, true, 1 << 63, true}},
		{`9223372036854775808`, result{0, false, 1 << 63, true}},
		{`-9223372036854775808`, result{math.MinInt64, true, -1 << 63, true}},
		{`-9223372036854775809`, result{0, false, -1 << 63, true}},
		{`5.0`, result{5, true, 5, true}},
		{`5.000`, result{5, true, 5, true}},
		{`5.5`, result{0, false, 5.5, true}},
		{`1e3`, result{1000, true, 1000, true}},
		{`-1E+18`, result{-1e18, true, -1e18, true}},
		{`1e19`, result{0, false, 1e19, true}},
		{`0e99`, result{0, true, 0, true}},
		{`10e-1`, result{0, false, 1, true}},
		{`1.5e1`, result{0, false, 15, true}},
		{`1e400`, result{0, false, 0, false}},
		{`1e-400`, result{0, false, 0, true}},
		{`1e99999999999999999999`, result{0, false, 0, false}},
		{`0.1000000000000000055511151231257827021181583404541015625`, result{0, false, 0.1, true}},
		{`"1"`, result{}},
		{`null`, result{}},
	}
	for _, tt := range tests {
		v := parse(t, tt.in)
		var got result
		got.Int, got.IsInt = v.Int()
		got.Float, got.IsFloat = v.Float()
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.in, diff)
		}
	}
}

func TestBool(t *testing.T) {
	for in, want := range map[string]bool{`true`: true, `false`: false, `null`: false, `1`: false, `"true"`: false, `[true]`: false} {
		if got := parse(t, in).Bool(); got != want {
			t.Errorf("%s: %v, want %v", in, got, want)
		}
	}
}

// visit calls every method on v and on all that it holds. It is for values that
// must not panic, whatever they answer.
func visit(v jsondoc.Value) (n int) {
	v.Raw()
	v.Body()
	v.Escaped()
	v.Is("x")
	v.Str()
	v.Int()
	v.Float()
	v.Bool()
	v.Path("a", "b")
	v.AppendStr(nil)
	v.AppendCompact(nil)
	n = v.Start() + v.End() + v.Len() + int(v.Kind())
	for e := range v.Elems() {
		n += visit(e)
	}
	for name, e := range v.Fields() {
		n += visit(name) + visit(e)
	}
	return n
}

func TestAbsent(t *testing.T) {
	var d jsondoc.Doc
	var zero jsondoc.Value
	for _, v := range []jsondoc.Value{zero, d.Root(), parse(t, `{"a":1}`).Get("b"), parse(t, `[1]`).Get("a")} {
		if n := visit(v); n != 0 || v.Exists() || v.Raw() != nil || v.Body() != nil || v.AppendCompact(nil) != nil {
			t.Errorf("%v is not absent", v)
		}
	}
}

// TestStale uses values after their Doc has gone on, or their bytes have
// changed: the answers are worthless, but they are answers.
func TestStale(t *testing.T) {
	const in = `{"a":[1,2,{"b":"c\n"}],"d":{"e":null,"f":[[],"g"]}}`
	for _, next := range []string{`1`, `[[],[[]],{}]`, `{"a":{"a":{"a":{}}}}`, `"` + strings.Repeat(`\n`, 50) + `"`, `]`} {
		var d jsondoc.Doc
		b := []byte(in)
		if _, err := d.Parse(b); err != nil {
			t.Fatal(err)
		}
		var kept []jsondoc.Value
		for name, v := range d.Root().Fields() {
			kept = append(kept, name, v)
			for e := range v.Elems() {
				kept = append(kept, e)
			}
		}
		for i := range b {
			b[i] = `\u"{`[i%4]
		}
		visit(d.Root())
		_, _ = d.Parse([]byte(next))
		for _, v := range kept {
			visit(v)
		}
	}
}

func TestKindString(t *testing.T) {
	var got []string
	for k := jsondoc.Absent; k <= jsondoc.Object+1; k++ {
		got = append(got, k.String())
	}
	want := []string{"absent", "null", "bool", "number", "string", "array", "object", "kind(7)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
