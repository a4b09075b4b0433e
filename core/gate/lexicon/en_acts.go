package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// englishActs returns the verbs by which work is set or something is laid down.
// They open a clause: what is said in it is said of them.
//
// Which of them are decisions and which are only work is not said here: "add a test" is
// work, "add it to the header" lays something down, and the details beside the act
// decide.
func englishActs() []gate.Rule {
	act := func(f gate.Family, cat core.Category, patterns ...string) gate.Rule {
		return gate.Rule{ID: "en." + f.String()[4:], Family: f, Category: cat, Tier: gate.Hint, Patterns: patterns}
	}
	with := func(r gate.Rule, must, mustNot []string) gate.Rule {
		r.Must, r.MustNot = must, mustNot
		return r
	}
	return []gate.Rule{
		with(act(gate.ActMake, core.Imperative, "^ {make}"),
			[]string{"make the header sticky", "can you keep the old name"}, []string{"does it make sense?"}),
		with(act(gate.ActChange, core.DecisionVerb, "^ {change}", "^ update|adjust|modify|adapt|refactor|edit|fix ..12 to be|@quote|@num|use|show|have|include|return|support", "^ update|set ..6 to @any"),
			[]string{"change the colour to blue", "rename it", "let's switch to tabs"}, []string{"the change was good"}),
		with(act(gate.ActMove, core.Imperative, "^ {move}", "^ write|send|print|dump|read|load ..5 to|into|from @any ,_not @any"),
			[]string{"put the button next to it", "store times in UTC"}, []string{"the store is closed"}),
		with(act(gate.ActUse, core.DecisionVerb, "^ {use}", "^ do @any ..8 instead_of|rather_than", "^ do @any ..4 ,_not @any", "using @name", "try_using|go_with|going_with|settle_on|stick_with"),
			[]string{"use UUIDs", "please use the existing helper", "we'll stick with tabs"}, []string{"the use of globals", "I use vim"}),
		with(act(gate.ActReplace, core.DecisionVerb, "^ {replace}", "replaced_with|replaced_by|be_replaced"),
			[]string{"replace moment with date-fns", "all of them should be replaced by one check"}, []string{"is there a replacement?"}),
		with(act(gate.ActName, core.DecisionVerb, "^ {name}", "be_called|be_named"),
			[]string{"name the command publish", "call it livez"}, []string{"what is its name"}),
		with(act(gate.ActShow, core.Imperative, "^ {show}", "^ answer|respond|reply with @any"),
			[]string{"display the age of the post", "mention the licence"}, []string{"the display is off"}),
		with(act(gate.ActDrop, core.Rejection, "^ {drop}", "^ kill|nuke|ditch|axe this|that|it|them|the ..3 $"),
			[]string{"remove the hello endpoint", "drop Windows support"}, []string{"why was it removed?"}),
		with(act(gate.ActOrder, core.Imperative, "^ {order}", "^ read|load|fetch|take|get|pull|import ..6 from @any"),
			[]string{"sort by date", "limit it to ten"}, []string{"out of order"}),
		with(act(gate.ActBuild, core.ActionRequest, "^ {build}"),
			[]string{"add a test", "please create the file", "can you write it"}, []string{"the build broke"}),
		with(act(gate.ActUpdate, core.ActionRequest, "^ {update}"),
			[]string{"update the page", "refactor the parser"}, []string{"the update was good"}),
		with(act(gate.ActFix, core.ActionRequest, "^ {fix}"),
			[]string{"fix the failing test", "address the comments"}, []string{"the fix is in"}),
		with(act(gate.ActCheck, core.ActionRequest, "^ {check}", "take_a_look|have_a_look|look_at|look_into|see_if|check_if|double_check|find_out"),
			[]string{"review this", "take a look"}, []string{"the check passed"}),
		with(act(gate.ActTell, core.ActionRequest, "^ {tell}", "^ create|make|write|give|generate|prepare|do|run|perform|conduct ..2 plan|summary|list|overview|report|review|proposal|analysis|investigation|research|comparison|audit|breakdown", "show_me|tell_me|give_me_a|help_me|let_me_know|explain_to|walk_me"),
			[]string{"explain the flow", "show me the list"}, []string{"the plan failed"}),
		with(act(gate.ActRun, core.ActionRequest, "^ {run}"),
			[]string{"run the tests", "install it"}, []string{"the run failed"}),
		with(act(gate.ActGit, core.ActionRequest, "^ {git}", "^ open|create|make|do|write ..2 pr|branch|issue|commit|release|pull_request|worktree|ticket|prs"),
			[]string{"commit and push", "open a PR", "create a new branch"}, []string{"add a test"}),
		with(act(gate.ActGoOn, core.ActionRequest, "^ {go-on}"),
			[]string{"continue", "ok, go on"}, []string{"does it continue?"}),
		with(act(gate.ActEnsure, core.Imperative, "ensure|make_sure|be_sure|guarantee|making_sure|take_care|see_to_it"),
			[]string{"make sure the order is kept"}, []string{"are you sure?"}),
	}
}
