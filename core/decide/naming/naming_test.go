package naming_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// TestFrames: what stands on the side of a frame is taken or left, in each language.
func TestFrames(t *testing.T) {
	n := naming.New()
	for _, c := range []struct{ text, want string }{
		{"let's use the Graphik font instead", "+Graphik font"},
		{"Show the title, without the icons.", "-icons"},
		{"let's use Plus Jakarta Sans font instead", "+Plus Jakarta Sans font"},
		{"Please Remove the header", "-header"},
		{"please don't use the admin api", "-admin api"},
		{"Snap grid not necessary.", "-Snap grid"},
		{"Let's do it live.", "+live"},
		{"the path should be configurable", "+should be configurable"},
		{"no auth, no database, in-memory conversation only", "-auth -database"},
		{"remove the header, the footer, the menu", "-header -footer -menu"},
		{"it is not because of the cache", ""},
		{"What about Redis?", ""},
		{"Je préfère rust, sans npm.", "+rust -npm"},
		{"renomme helpmodal en manuel", "-helpmodal +manuel"},
		{"Enlève la colonne d'arborescence", "-colonne d'arborescence"},
		{"usa PostgreSQL en lugar de MySQL", "+PostgreSQL -MySQL"},
		{"remova o menu lateral", "-menu lateral"},
		{"Nutze SQLite statt Postgres", "+SQLite -Postgres"},
		{"ersetze den Cache durch Redis", "-Cache +Redis"},
		{"usa Vite invece di Webpack", "+Vite -Webpack"},
		{"сделай один календарь вместо двух", "+один календарь -двух"},
		{"убери боковое меню", "-боковое меню"},
		{"把渠道改成产品", "-渠道 +产品"},
		{"备注不需要了", "-备注"},
		{"使用supabase的邮件发送功能，不要迁移", "+supabase的邮件发送功能 -迁移"},
		{"用户登录", ""},
		{"用uv打包", "+uv打包"},
		{"geminiのほうでやってみて", "+gemini"},
		{"ダークモードを削除", "-ダークモード"},
		{"npy 대신 npz로 가고", "-npy +npz"},
		{"전역 설정은 없애줘", "-전역 설정"},
		{"이름의 위치에서 바로 변경되지 않아", ""},
		{"윈도우에서는 더 큰 사이즈도 필요해", ""},
		{"지금은 redis를 사용해", "+redis"},
		{"let's shelve this for now", ""},
		{"apply the \n  larger cap to them", "+larger cap to them"},
		{"一旦mainに戻り、commitlintでfeatとかのよくあるやつの規約を守るようにしてほしい", "+commitlintでfeatとかのよくあるやつの規約を守るよう"},
		{"設定の管理はコードではなく設定ファイル", "-コード +設定ファイル"},
		{"vibeid彻底改成vibeinsight", "-vibeid +vibeinsight"},
		{"use the `--json` flag of export", "+`--json` flag of export"},
		{"RuntimeSettings should be renamed to FetcherConfig", "-RuntimeSettings +FetcherConfig"},
		{"let's move away from using find", "-find"},
		{"独自仕様はダメ", "-独自仕様"},
		{"~/.envrc は修正してはいけない", "-~/.envrc"},
		{"je ne veux que la colonne des fichiers", "+colonne des fichiers"},
		{"把我要下单改成提交订单", "-我要下单 +提交订单"},
		{"~/.envrc や ~/.codex/* は修正してはいけない", "-~/.envrc や ~/.codex/*"},
		{"Tu ne dois pas faire un frontend en react", "-frontend en react"},
		{"i dont think the boxes should be on the belt", "-should be on the belt"},
		{"der Cache soll gar nicht benutzt werden", "-Cache"},
	} {
		got := marks(by(n, c.text, "frame"))
		if got != c.want {
			t.Errorf("%q names %q, not %q", c.text, got, c.want)
		}
	}
}

// by are the candidates of a text from one source, each once.
func by(n *naming.Namer, text, source string) []core.Option {
	var out []core.Option
	for _, c := range n.Candidates(&naming.Passage{Text: text, Sentences: []prose.Span{{Start: 0, End: len(text)}}, Group: "en"}) {
		var b score.Bag
		b.Named()
		c.Signs(&b)
		if (b.Name(score.Hash(source, " +")) != "" || b.Name(score.Hash(source, " -")) != "") && !slices.ContainsFunc(out, func(o core.Option) bool { return strings.Contains(c.Text, o.Text) || strings.Contains(o.Text, c.Text) }) {
			out = append(out, c.Option)
		}
	}
	return out
}

// TestCandidates: names, values and short clauses may be taken or left; what only explains is
// none.
func TestCandidates(t *testing.T) {
	n := naming.New()
	for _, c := range []struct{ source, text, want string }{
		{"clause", "separate output port", "+separate output port"},
		{"clause", "Log errors only, because disks are small", "+Log errors only"},
		{"clause", "公共怪物生成模块", "+公共怪物生成模块"},
		{"token", "keep .gitignore and ~/.envrc out of `core/store`", "+.gitignore +~/.envrc +core/store"},
		{"token", "the port is 6419 on Redis", "+6419 +Redis"},
		{"token", "1. we store it in Redis", "+Redis"},
		{"token", "[Image #1] put the Save button there", "+Save"},
		{"clause", "去掉右边的菜单", "+去掉右边的菜单"},
		{"token", "le menu doit être à gauche, öfter как раньше", ""},
		{"token", "das Menü gehört nach Österreich", "+Menü +Österreich"},
		{"token", "Well, Maybe I use it", ""},
		{"pair", ".devenv/hub を .devenv/git に変更して。", "-.devenv/hub +.devenv/git"},
		{"pair", `"user" を "You" に、`, "-user +You"},
		{"pair", "programme를 일상 용어로 변경", "-programme +일상 용어"},
		{"token", "add it to src/*", "+src/*"},
	} {
		if got := marks(by(n, c.text, c.source)); got != c.want {
			t.Errorf("%s of %q are %q, not %q", c.source, c.text, got, c.want)
		}
	}
}

// TestBalanced: a name has both marks of a pair, or neither.
func TestBalanced(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"never merge to `main`, please", "merge to `main", "merge to `main`"},
		{"`add` and remove", "add` and remove", "`add` and remove"},
		{"keep one (or two) of them", "one (or two", "one (or two)"},
		{"(use one name everywhere) and go", "one name everywhere)", "one name everywhere"},
		{"a page (of two", "page (of two", "page"},
		{"two pages (of two)", "two pages (of two)", "two pages (of two)"},
	} {
		at := strings.Index(c.text, c.name)
		if got := naming.Balanced(c.text, prose.Span{Start: at, End: at + len(c.name)}).In(c.text); got != c.want {
			t.Errorf("%q of %q becomes %q, not %q", c.name, c.text, got, c.want)
		}
	}
}

// TestProperNames: of a name of several words each is weighed, and all of it is named.
func TestProperNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"we build it on Next.js 15, React 19", "Next.js 15, Next.js 15, React 19, React 19"},
		{"open it in Mullvad Browser, please", "Mullvad Browser, Mullvad Browser"},
		{"Use Redis. Then go", ""},
		{"put the Save button there", ""},
	} {
		var got []string
		for _, x := range naming.New().Candidates(&naming.Passage{Text: c.text, Sentences: []prose.Span{{Start: 0, End: len(c.text)}}, Group: "en"}) {
			if x.Chosen && x.Name.End-x.Name.Start > len(x.Text) {
				got = append(got, x.Name.In(c.text))
			}
		}
		if names := strings.Join(got, ", "); names != c.want {
			t.Errorf("%q has the names %q, not %q", c.text, names, c.want)
		}
	}
}

// TestWords: a candidate is told by its words and those beside it, each with its mark.
func TestWords(t *testing.T) {
	text := "please use Redis 7 instead, ok"
	for _, c := range naming.New().Candidates(&naming.Passage{Text: text, Sentences: []prose.Span{{Start: 0, End: len(text)}}, Group: "en"}) {
		var b score.Bag
		b.Named()
		if c.Signs(&b); c.Text != "Redis 7" || b.Name(score.Hash("frame +")) == "" {
			continue
		}
		for _, name := range []string{
			"frame +", "frame + in en", "frame use +", "has redis +", "has <n> +", "begins with redis +", "ends with <n> +",
			"behind use +", "behind please use +", "before instead +", "between use instead +", "frame +: words 1",
		} {
			if b.Name(score.Hash(name)) != name {
				t.Errorf("no sign %q", name)
			}
		}
		return
	}
	t.Error("Redis 7 is no candidate")
}

// TestSigns: what speaks for a ban is named alike in all languages. Without a word that may
// forbid there is nothing.
func TestSigns(t *testing.T) {
	f := naming.NewForbidding()
	for _, c := range []struct {
		english    bool
		text, want string
	}{
		{true, "Do NOT touch the vendored files.", "ban told first"},
		{true, "and please, don’t use it", "ban told to act"},
		{true, "It does not matter, they never work.", "ban strictly said of others"},
		{false, "no uses archivos .sql", "ban told in other"},
		{false, "admin panel ne doit pas etre modifie.", "ban strictly within"},
		{false, "n'utilise pas jQuery", "ban told first"},
		{false, "не трогай шапку", "ban told first"},
		{false, "파일 이름은 바꾸지 말자.", "ban told within"},
		{false, "any 타입 사용 금지", "ban strictly within"},
		{false, "不要直接修改，先帮我找原因", "ban for a time"},
		{false, "特别好", ""},
		{true, "the donts are listed above", ""},
	} {
		var got []string
		said := f.Signs(c.text, c.english, func(parts ...string) { got = append(got, strings.Join(parts, "")) })
		if said != (c.want != "") || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%q gives %q, not %q", c.text, got, c.want)
		}
	}
}

// TestOffered: what a question or a list put up is told apart by what a turn repeats of it.
func TestOffered(t *testing.T) {
	for _, c := range []struct{ before, said, want string }{
		{"Should logs stream live, or only after the process exits?", "Let's do it live.", "+logs stream live -only after the process exits"},
		{"你倾向于继续用方案A还是切到方案B？", "切到方案B", "-继续用方案A +切到方案B"},
		{"Which one?\n- **Keep submodules** with a script\n- **Plain clones** (simple)\n", "plain clones please", "-Keep submodules +Plain clones"},
		{"Use tabs or spaces?", "Both are fine.", ""},
		{"Should I add a token `link`, so that link text vs link URL can differ?", "yes, the link URL is grey", ""},
		{"Link text vs link URL?", "the link URL is grey", "-Link text +link URL"},
		{"Do it now (or later)?", "Do it.", ""},
		{"I fixed:\n- the cache\n- the log\n", "the cache is slow", ""},
		{"1. Remove the shares\n2. Disable the service\n\nShall I proceed with removing the shares and disabling it?", "yes, disable the service", ""},
		{"Is it Redis, Postgres, or something else?", "Postgres", "-Redis +Postgres"},
		{"Should it be per-node (on each node) with a mode, or a global scheduler?", "per-node, so that we can have several", "+per-node (on each node) with a mode -a global scheduler"},
		{"For several inputs, should we merge them, or do you want to choose one?", "choose one", "-merge them +choose one"},
		{"# Review of PR #1290\n\n- **Redis**\n- **Postgres**\n\nWhich one?", "postgres", "-Redis +Postgres"},
		{"### 方案1 Redis\n### 方案2 Postgres\n\n用哪个？", "postgres", "-方案1 Redis +方案2 Postgres"},
		{"## Your options:\n- A) **Keep Redis**\n- B) **Drop Redis**\n\nWhich one?", "drop redis", "-Keep Redis +Drop Redis"},
	} {
		got := naming.Offered(c.before, c.said)
		if m := marks(got); m != c.want {
			t.Errorf("%q after %q takes %q, not %q", c.said, c.before, m, c.want)
		}
		for _, o := range got {
			if !o.InAssistant || c.before[o.Offset:o.Offset+len(o.Text)] != o.Text {
				t.Errorf("%q does not stand at %d of %q", o.Text, o.Offset, c.before)
			}
		}
	}
}

func marks(options []core.Option) string {
	var out []string
	for _, o := range options {
		mark := "-"
		if o.Chosen {
			mark = "+"
		}
		out = append(out, mark+o.Text)
	}
	return strings.Join(out, " ")
}

// FuzzCandidates: names are pieces of the text, whatever it is.
func FuzzCandidates(f *testing.F) {
	f.Add("use Postgres instead of MySQL, 不要 \xff (npy 대신 npz", "A or B?")
	n := naming.New()
	f.Fuzz(func(t *testing.T, text, before string) {
		for _, o := range n.Candidates(&naming.Passage{Text: text, Before: before, Sentences: []prose.Span{{Start: 0, End: len(text)}}}) {
			if text[o.Offset:o.Offset+len(o.Text)] != o.Text || o.Text == "" {
				t.Errorf("%q is not at %d of %q", o.Text, o.Offset, text)
			}
		}
		for _, o := range naming.Offered(before, text) {
			if before[o.Offset:o.Offset+len(o.Text)] != o.Text {
				t.Errorf("%q is not at %d of %q", o.Text, o.Offset, before)
			}
		}
	})
}
