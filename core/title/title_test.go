package title_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/title"
)

// line is a title as it is written: blanks are one blank.
func line(in *title.Input) string {
	var b strings.Builder
	for _, p := range title.Of(in) {
		b.WriteString(p.Joint)
		text := in.Turn
		if p.InBefore {
			text = in.Before
		}
		b.WriteString(p.In(text))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// input makes the input of a case: epitome and options stand where they are found
// first, in the message before if they begin with "<".
func input(t *testing.T, turn, before, epitome string, options []string) *title.Input {
	t.Helper()
	in := &title.Input{Turn: turn, Before: before}
	find := func(text string) (s prose.Span, inBefore bool) {
		where := turn
		if cut, found := strings.CutPrefix(text, "<"); found {
			text, where, inBefore = cut, before, true
		}
		at := strings.Index(where, text)
		if at < 0 {
			t.Fatalf("%q is not in %q", text, where)
		}
		return prose.Span{Start: at, End: at + len(text)}, inBefore
	}
	if epitome == "" {
		epitome = turn
	}
	in.Epitome, in.InBefore = find(epitome)
	for _, o := range options {
		s, inBefore := find(o[1:])
		text := turn
		if inBefore {
			text = before
		}
		in.Options = append(in.Options, core.Option{Text: s.In(text), Chosen: o[0] == '+', InAssistant: inBefore, Offset: s.Start})
	}
	return in
}

const stores = `There are three ways:

1. **Postgres** — one more service
2. **SQLite** (a file)
3. **Redis**: fast, volatile

Which one do you want?`

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name                  string
		turn, before, epitome string
		options               []string
		want                  string
	}{
		// What can be read alone stays as it is.
		{name: "statement", turn: "Use cursor pagination rather than offset.", before: "Done.", want: "Use cursor pagination rather than offset."},
		{name: "of a longer turn", turn: "Looks nice. Set the default port to 8080. Thanks!", epitome: "Set the default port to 8080.", want: "Set the default port to 8080."},
		{name: "ban", turn: "Never push to main.", before: "I pushed to main.", want: "Never push to main."},
		{name: "ban of a thing", turn: "we will never use left-pad; don't add new dependencies.", want: "we will never use left-pad; don't add new dependencies."},
		{name: "its own antecedent", turn: "Drop the cache table and recreate it with an index.", before: "I added a cache.", want: "Drop the cache table and recreate it with an index."},
		{name: "that joins clauses", turn: "Make sure that the tests pass on Windows.", before: "I added a cache.", want: "Make sure that the tests pass on Windows."},
		{name: "this with its noun", turn: "i want to add a license to this repo.", before: "Hello.", want: "i want to add a license to this repo."},
		{name: "that with what it is named by before", turn: "The page has lost its footer. Can you get that back", before: "Done.", epitome: "Can you get that back", want: "The page has lost its footer. Can you get that back"},
		{name: "those at the end", turn: "There are two lists of banned hosts. Have the crawler read those.", before: "Done.", epitome: "Have the crawler read those.", want: "There are two lists of banned hosts. Have the crawler read those."},
		{name: "this behind a comma", turn: "Look here. Drop the second todo, and keep this.", before: "Done.", epitome: "Drop the second todo, and keep this.", want: "Drop the second todo, and keep this."},
		{name: "that of a clause", turn: "Add a second button that forces a refresh.", before: "I changed the panel.", want: "Add a second button that forces a refresh."},
		{name: "a glob is no bold text", turn: "Extend the glob to `**/*.mdx` and **never** to `*.txt`.", want: "Extend the glob to `**/*.mdx` and never to `*.txt`."},
		{name: "an image", turn: "In the dialog [Image #1] where we ask, show the name.", want: "In the dialog where we ask, show the name."},
		{name: "a colour is no heading", turn: "#b5bd68 is the colour of code blocks", want: "#b5bd68 is the colour of code blocks"},
		{name: "a heading", turn: "## Use tabs in Makefiles", want: "Use tabs in Makefiles"},
		{name: "Chinese", turn: "用 Postgres 代替 MySQL。", want: "用 Postgres 代替 MySQL。"},
		{name: "German", turn: "Wir nehmen ab jetzt Postgres statt MySQL.", want: "Wir nehmen ab jetzt Postgres statt MySQL."},

		// What it refuses, counts or repeats.
		{
			name: "a no to what was only told", turn: "no, the block should stay as is", before: "Done! Inline code and code blocks now use the accent. The tests pass.",
			want: "no, the block should stay as is [Inline code and code blocks now use the accent.]",
		},
		{name: "a no that says enough", turn: "No, sort the newest commits of all branches by their date.", before: "Done!", want: "No, sort the newest commits of all branches by their date."},
		{
			name: "how many of what was named", turn: "The filters are name, tag and date. Display an error if at least one is not set.", epitome: "Display an error if at least one is not set.",
			want: "The filters are name, tag and date. Display an error if at least one is not set.",
		},
		{
			name: "how many of what it names", turn: "The page is slow. Display an error if at least one filter is not set.", epitome: "Display an error if at least one filter is not set.",
			want: "Display an error if at least one filter is not set.",
		},
		{
			name: "several changes", turn: "do the same there", before: "Changes made:\n- Renamed the loop variable\n- Moved the columns to a list\n\nIt behaves as before.",
			want: "do the same there [Changes made: Renamed the loop variable; Moved the columns to a list]",
		},
		{
			name: "numbers", turn: "6 and 12", before: "Two findings are left. Want me to apply 6 and 12 as described?",
			want: "Want me to apply 6 and 12 as described? → 6 and 12",
		},

		{
			name: "an item of a list that is taken over", turn: "Let's do these:\n1. Add a delete button.\n2. Show an error page.", before: "Next steps:\n1. Add a delete button.\n2. Show an error page.\n\nWhich one?",
			epitome: "2. Show an error page.", options: []string{"-<Add a delete button", "+<Show an error page"}, want: "2. Show an error page.",
		},
		{
			name: "an option, and no step", turn: "do option 1 for me", before: "### Option 1: Rename the variables\n\n### Option 2: Read both names\n\nSteps:\n1. Connection string\n2. Database name\n\nI recommend option 1.",
			want: "Rename the variables (not: Read both names)",
		},
		{
			name: "some of several proposals", turn: "let's start with options 1-2 first", before: "Some proposals:\n1. Add a table\n2. Widen the page\n3. Draw a diagram\n\nAll of them?",
			options: []string{"+<Add a table", "+<Widen the page", "-<Draw a diagram"}, want: "let's start with options 1-2 first [Add a table, Widen the page]",
		},
		{
			name: "what a solution added goes", turn: "Remove all that the first solution added to the wheel, and keep the second file.", before: "1. Smooth the slip\n2. Settle the wheel",
			want: "Remove all that the first solution added to the wheel, and keep the second file.",
		},

		{
			name: "answers to several questions", turn: "question 1 - option b\nquestion 2 - option a\nquestion 3 - option b", before: "1. Where?\na) Here\nb) There\n2. When?\na) Now\nb) Later\n3. How?\na) By hand\nb) By a job",
			epitome: "question 2 - option a", want: "question 2 - option a",
		},

		// A proposal and the words that accept it.
		{
			name: "proposal", turn: "yes please", before: "All green. Want me to add a Redis cache for orders?", epitome: "<Want me to add a Redis cache for orders?",
			want: "Want me to add a Redis cache for orders? → yes please",
		},
		{
			name: "bare question", turn: "yes", before: "I'd move the cache to Redis. Proceed?", epitome: "<Proceed?",
			want: "I'd move the cache to Redis. Proceed? → yes",
		},
		{
			name: "the offer stands further back", turn: "ok do it", before: "I suggest replacing moment.js by date-fns. The bundle shrinks by 60 KB. Shall I go ahead?", epitome: "<Shall I go ahead?",
			want: "I suggest replacing moment.js by date-fns. … Shall I go ahead? → ok do it",
		},
		{
			name: "a list is proposed", turn: "go", before: "My plan:\n- split the parser\n- add a fuzz test\n\nReady to start?", epitome: "<Ready to start?",
			want: "My plan: split the parser; add a fuzz test Ready to start? → go",
		},
		{
			name: "a plan with a remark behind", turn: "Proceed", before: "**Plan**:\n1. Keep the section.\n2. Add an FAQ entry.\n\nDocs only, small. Proceed?", epitome: "<Proceed?",
			want: "Plan: 1. Keep the section. 2. Add an FAQ entry. … Proceed? → Proceed",
		},
		{
			name: "a colon announces", turn: "yes to all", before: "If you want, I can:\n- add shortcuts\n- add tips", epitome: "<If you want, I can:",
			want: "add shortcuts; add tips → yes to all",
		},
		{
			name: "one of several that are offered", turn: "yes to both", before: "Done.\n\nWant me to:\n- Map the other fields?\n- Show the text before it is written?", epitome: "<Show the text before it is written?",
			want: "Map the other fields? Show the text before it is written? → yes to both",
		},
		{
			name: "a list says what it is about", turn: "yes", before: "I would split the parser so:\n- lexer\n- tree", epitome: "<I would split the parser so:",
			want: "I would split the parser so: lexer; tree → yes",
		},
		{
			name: "a question among what was done", turn: "yes", before: "Summary:\n- the lexer is split\n- Shall I split the tree too?", epitome: "<Shall I split the tree too?",
			want: "Shall I split the tree too? → yes",
		},
		{
			name: "many are offered", turn: "Yes to all",
			before:  "If you want next:\n" + strings.Repeat("- Add a page for each of the slicers, with all of its fields and a picture of it\n", 5) + "- Add one more",
			epitome: "<If you want next:",
			want: strings.Repeat("Add a page for each of the slicers, with all of its fields and a picture of it; ", 3) +
				"Add a page for each of the slicers, with all of its fields and a picture of it … → Yes to all",
		},
		{
			name: "the fix", turn: "yes", before: "Moving the check behind the lock is worth doing. For completeness: the other thread is moot now. Want me to implement the fix?", epitome: "<Want me to implement the fix?",
			want: "Moving the check behind the lock is worth doing. … Want me to implement the fix? → yes",
		},
		{
			name: "says behind the question what it would do", turn: "yeah", before: "Want me to start implementing this? I'll begin with:\n\n1. The parser\n2. The tree", epitome: "<Want me to start implementing this?",
			want: "Want me to start implementing this? I'll begin with: 1. The parser; 2. The tree → yeah",
		},
		{
			name: "code between is left out", turn: "yes", before: "I'd export the pattern as a constant:\n\n```go\nconst p = `x`\n```\n\nWant me to make that change?", epitome: "<Want me to make that change?",
			want: "I'd export the pattern as a constant: … Want me to make that change? → yes",
		},
		{
			name: "only the first sentence confirms", turn: "Yes, do it. By the way the docs are stale, and so is the changelog.", before: "Shall I drop the legacy endpoint?", epitome: "<Shall I drop the legacy endpoint?",
			want: "Shall I drop the legacy endpoint? → Yes, do it.",
		},
		{
			name: "an item of a list", turn: "New columns:\n- week: reuse the one of leagues\n- total: computed, no column", epitome: "total: computed, no column",
			want: "New columns: total: computed, no column",
		},
		{
			name: "an item of a list in a list", turn: "Frontend:\n- the view has:\n  - a table with all series\n  - a graph over the weeks\n- a link", epitome: "a graph over the weeks",
			want: "the view has: a graph over the weeks",
		},
		{
			name: "a piece of an item", turn: "Create these files:\n1. `client.py` with fetch(url). Retry three times. Raise the last exception if all attempts fail.\n2. `parser.py`", epitome: "Raise the last exception if all attempts fail.",
			want: "1. `client.py` with fetch(url). … Raise the last exception if all attempts fail.",
		},
		{
			name: "a list that nothing leads to", turn: "The view is slow.\n- cache the table of series\n- drop the graph", epitome: "cache the table of series",
			want: "cache the table of series",
		},
		{
			name: "code is announced", turn: "yes", before: "Move the rule into the helper:\n\n```go\nuse(rule)\n```\n\nThat is all there is. Want me to make that change?", epitome: "<Move the rule into the helper:",
			want: "Move the rule into the helper: → yes",
		},
		{
			name: "the answer to a numbered question", turn: "1. no\n2. look at the latest fifty commits of each branch\n3. yes", before: "Open questions:\n1. **Orphans**: Should they be shown?\n2. **Depth limit**: How far back do we look?\n3. **Marks**: Are merged branches marked?",
			epitome: "2. look at the latest fifty commits of each branch", want: "How far back do we look? → 2. look at the latest fifty commits of each branch",
		},
		{
			name: "a list after one that asks nothing", turn: "1. use tabs in Makefiles\n2. look at the latest fifty commits of each branch", before: "Done:\n1. Orphans are hidden.\n2. The depth is limited.",
			epitome: "2. look at the latest fifty commits of each branch", want: "2. look at the latest fifty commits of each branch",
		},
		{
			name: "German proposal", turn: "ja, mach das", before: "Ich würde den Cache auf Redis umstellen. Soll ich das umsetzen?", epitome: "<Soll ich das umsetzen?",
			want: "Ich würde den Cache auf Redis umstellen. Soll ich das umsetzen? → ja, mach das",
		},
		{
			name: "French proposal", turn: "oui", before: "Je propose de remplacer moment par date-fns. Je procède ?", epitome: "<Je procède ?",
			want: "Je propose de remplacer moment par date-fns. Je procède ? → oui",
		},
		{
			name: "Spanish proposal", turn: "sí, adelante", before: "Voy a mover la caché a Redis. ¿Continuar?", epitome: "<¿Continuar?",
			want: "Voy a mover la caché a Redis. ¿Continuar? → sí, adelante",
		},
		{
			name: "Russian proposal", turn: "да", before: "Предлагаю перенести кэш в Redis. Начать?", epitome: "<Начать?",
			want: "Предлагаю перенести кэш в Redis. Начать? → да",
		},
		{
			name: "Chinese proposal", turn: "好的", before: "我会把缓存迁移到 Redis。可以开始吗？", epitome: "<可以开始吗？",
			want: "我会把缓存迁移到 Redis。 可以开始吗？ → 好的",
		},
		{
			name: "Japanese proposal", turn: "はい", before: "キャッシュを Redis に移すことを提案します。進めますか？", epitome: "<進めますか？",
			want: "キャッシュを Redis に移すことを提案します。 進めますか？ → はい",
		},

		// What a list is picked from.
		{
			name: "number", turn: "2", before: stores, options: []string{"-<Postgres", "+<SQLite", "-<Redis"},
			want: "SQLite (not: Postgres, Redis)",
		},
		{
			name: "number in words of one's own", turn: "Go with option 2 but keep the old file around", before: stores,
			want: "Go with option 2 but keep the old file around [SQLite] (not: Postgres, Redis)",
		},
		{
			name: "ordinal", turn: "let's take the third one and cap it at 100 MB", before: stores,
			want: "let's take the third one and cap it at 100 MB [Redis] (not: Postgres, SQLite)",
		},
		{
			name: "the last list counts", turn: "option B with tests please", before: "1. foo\n2. bar\n\nThen:\n\nOption A: a queue\nOption B: a cron job\n",
			want: "option B with tests please [a cron job] (not: a queue)",
		},
		{name: "the second in German", turn: "Die zweite Option, aber ohne Docker", before: "Zwei Wege:\n1. Postgres\n2. SQLite", want: "Die zweite Option, aber ohne Docker [SQLite] (not: Postgres)"},
		{name: "the second in Spanish", turn: "la segunda opción pero sin Docker", before: "Opciones:\n1. Postgres\n2. SQLite", want: "la segunda opción pero sin Docker [SQLite] (not: Postgres)"},
		{name: "the first in French", turn: "la première option, sans Docker", before: "Au choix :\n1. Postgres\n2. SQLite", want: "la première option, sans Docker [Postgres] (not: SQLite)"},
		{name: "the second in Chinese", turn: "第二个，但不要用 Docker 容器", before: "有两个办法：\n1. Postgres\n2. SQLite", want: "第二个，但不要用 Docker 容器 [SQLite] (not: Postgres)"},
		{name: "a place in the code keeps its explanation", turn: "do 1 only", before: "Findings:\n1. `hook.go:153` swallows the error\n2. Naming", want: "`hook.go:153` swallows the error (not: Naming)"},
		{name: "a numbered question", turn: "1. no", before: "Two questions:\n1. Should `--flat` stay?\n2. Colours?", want: "Should `--flat` stay? → 1. no"},

		// A question in prose and its answer.
		{name: "answer", turn: "8080", before: "Which port should the server listen on?", want: "Which port should the server listen on? → 8080"},
		{name: "answer with more", turn: "no, keep it in memory", before: "Should sessions be kept in Redis?", want: "Should sessions be kept in Redis? → no, keep it in memory"},
		{name: "asked again", turn: "the former", before: "Add a matrix to the docs workflow? Or would you rather keep it pinned?", want: "Add a matrix to the docs workflow? Or would you rather keep it pinned? → the former"},
		{name: "answer in Korean", turn: "네", before: "캐시를 Redis로 옮길까요?", want: "캐시를 Redis로 옮길까요? → 네"},

		// Pointers.
		{name: "ban of what was done", turn: "never do that again", before: "I've force-pushed the branch to main.", want: "never do that again [I've force-pushed the branch to main.]"},
		{name: "revert", turn: "revert that", before: "Let me look. Added a retry with backoff to the fetcher.", want: "revert that [Added a retry with backoff to the fetcher.]"},
		{name: "the sentence before", turn: "The save button looks dead. Make it green.", epitome: "Make it green.", before: "Done.", want: "The save button looks dead. Make it green."},
		{name: "no subject", turn: "what's the footer using? should be dimmer", epitome: "should be dimmer", want: "what's the footer using? should be dimmer"},
		{name: "only an example", turn: "Every panel has one job. For example, filaments or heads.", epitome: "For example, filaments or heads.", want: "Every panel has one job. For example, filaments or heads."},
		{name: "a placeholder", turn: "use this approach everywhere", before: "I wrapped every call in a context with a timeout.", want: "use this approach everywhere [I wrapped every call in a context with a timeout.]"},
		{name: "Spanish pointer", turn: "no hagas eso", before: "He cambiado la rama principal.", want: "no hagas eso [He cambiado la rama principal.]"},
		{name: "Japanese pointer", turn: "それでお願いします", before: "キャッシュを Redis に移しました。", want: "それでお願いします [キャッシュを Redis に移しました。]"},
		{name: "nothing to point at", turn: "drop it", want: "drop it"},

		{name: "so begins", turn: "so, i think the early tests are both CLI and web.", before: "I'd start with the web. What is your biggest concern?", want: "so, i think the early tests are both CLI and web."},
		{name: "Chinese that proposes nothing", turn: "这个效果不太好。", before: "我把完整的链接显示在下面了。", want: "这个效果不太好。 [我把完整的链接显示在下面了。]"},
		{
			name: "words of a list by accident", options: []string{"+<Display the buttons", "-<Load all weeks"},
			turn:   "that fixed it. there is no special content for a season and a team. so make the team buttons appear only if the league, the season and the week are selected",
			before: "It should now:\n1. Load all weeks\n2. Display the buttons",
			want:   "that fixed it. there is no special content for a season and a team. so make the team buttons appear only if the league, the season and the week are selected",
		},
		{name: "a sentence that only leads", turn: "First we need to address an oversight. The GUI has no inputs for the limits of Z.", epitome: "First we need to address an oversight.", want: "The GUI has no inputs for the limits of Z."},
		{name: "a lead alone", turn: "First we need to address an oversight.", want: "First we need to address an oversight."},
		// Bounds.
		{
			name: "clauses", turn: "Please use the queue for mails" + strings.Repeat(", and also for the nightly export of orders", 9) + ".",
			want: "Please use the queue for mails" + strings.Repeat(", and also for the nightly export of orders", 4) + " …",
		},
		{
			name: "the clause that decides", options: []string{"+Postgres"},
			turn: "I was thinking about all this" + strings.Repeat(", and about what they said in the meeting", 9) + ", so we go with Postgres for everything.",
			want: "I was thinking about all this … so we go with Postgres for everything.",
		},
		{
			name: "no clause at all", turn: strings.Repeat("word ", 200),
			want: strings.TrimSpace(strings.Repeat("word ", 48)) + " …",
		},
		{
			name: "a colon that announces in the turn", turn: "The player must run:\nentire checkpoint list\n\nMore later.", epitome: "The player must run:",
			want: "The player must run: entire checkpoint list",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(t, c.turn, c.before, c.epitome, c.options)
			if got := line(in); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestAnswersToTools has what a person answered to a tool.
func TestAnswersToTools(t *testing.T) {
	const asked = "What should happen with an expired token?"
	for name, c := range map[string]struct {
		turn, before, epitome string
		options               []string
		asked                 bool
		want                  string
	}{
		"choice": {
			before: asked + "\nRedirect to login\nAuto-refresh", epitome: "<" + asked, options: []string{"+<Redirect to login", "-<Auto-refresh"}, asked: true,
			want: asked + " → Redirect to login (not: Auto-refresh)",
		},
		"several": {
			before: "Which areas?\nFlow\nKeys\nUI", epitome: "<Which areas?", options: []string{"+<Flow", "+<Keys", "-<UI"}, asked: true,
			want: "Which areas? → Flow, Keys (not: UI)",
		},
		"many are left out": {
			before: "Which?\nA1\nA2\nA3\nA4\nA5\nA6", epitome: "<Which?", options: []string{"+<A1", "-<A2", "-<A3", "-<A4", "-<A5", "-<A6"}, asked: true,
			want: "Which? → A1 (not: A2, A3, A4, A5 …)",
		},
		"own words": {
			turn: "ask me again", before: asked + "\nRedirect to login", options: []string{"-<Redirect to login", "+ask me again"}, asked: true,
			want: asked + " → ask me again (not: Redirect to login)",
		},
		"plan":         {before: "# Move to Redis\n\n1. …", epitome: "<Move to Redis", want: "Move to Redis"},
		"refused plan": {turn: "no, we keep Postgres", before: "# Move to Redis\n", options: []string{"-<Move to Redis"}, want: "Move to Redis → no, we keep Postgres"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(t, c.turn, c.before, c.epitome, c.options)
			in.Structured = true
			if c.asked {
				in.Asked.End = strings.IndexByte(c.before, '\n')
			}
			if got := line(in); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// FuzzOf has titles of any texts: each part stands in its text, on whole characters
// where that has some, and a title is no longer than its parts may be.
func FuzzOf(f *testing.F) {
	f.Add("2", stores, 0, 1, false)
	f.Add("yes, do that", "I'd move it. Proceed?", 13, 21, true)
	f.Add("revert that (", "```\nx\n```\n**Done** — now it's `a`: 1) b\n", 0, 13, false)
	f.Fuzz(func(t *testing.T, turn, before string, from, to int, inBefore bool) {
		in := &title.Input{Turn: turn, Before: before, InBefore: inBefore}
		text := turn
		if inBefore {
			text = before
		}
		if from < 0 || to > len(text) || from > to {
			t.Skip()
		}
		in.Epitome = prose.Span{Start: from, End: to}
		length := 0
		for _, p := range title.Of(in) {
			text := turn
			if p.InBefore {
				text = before
			}
			if p.Start < 0 || p.End > len(text) || p.Start > p.End {
				t.Fatalf("part %+v of a text of %d bytes", p, len(text))
			}
			length += p.End - p.Start
		}
		const most = 4 * 8 << 10 // a few parts of a few hundred characters, each of four bytes
		if length > most {
			t.Errorf("a title of %d bytes", length)
		}
	})
}

// TestRepeatedName has a list whose entries all have a part of the same name, which is nothing to choose.
func TestRepeatedName(t *testing.T) {
	const name, before = "Advice", "A. Flags\n   Advice: sort them\nB. Names\n   Advice: shorten them\n\nShall I apply the advice?"
	in := &title.Input{Turn: "Advice", Before: before, Epitome: prose.Span{End: len(name)}}
	for at, n := 0, 0; n < 2; n++ {
		at += strings.Index(before[at:], name)
		in.Options = append(in.Options, core.Option{Text: name, Chosen: true, InAssistant: true, Offset: at})
		at += len(name)
	}
	if got, want := line(in), "Shall I apply the advice? → Advice"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
