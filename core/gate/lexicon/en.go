package lexicon

import (
	"strings"

	"github.com/memscribe/memscribe/core/gate"
)

// English returns the English table: its lists and leads. The rules are in
// en_decide.go, en_request.go and en_cues.go.
func English() gate.Table {
	t := gate.Table{Lang: "en", Signs: words(`the is are to of and in on for with it that this be we you i should can please an from`), Lists: englishLists(), Joins: []string{"and", "but", "or", "then", "so", "plus", "because", "&"}}
	// Leads, longest match first. They say nothing about the act, so "could you please
	// rename it" and "rename it" are the same rule.
	t.Leads = []string{
		"please", "pls", "plz", "kindly", "just", "then", "now", "also", "so", "ok", "okay", "well", "first", "next", "finally", "lastly", "instead",
		"actually", "maybe", "perhaps", "simply", "again", "yes", "yeah", "yea", "yep", "yup", "y", "no", "nope", "nah", "sure", "great", "good", "nice",
		"cool", "perfect", "alright", "right", "thanks", "thank_you", "hmm", "hm", "oh", "ah", "wait", "hey", "hi", "only", "still", "anyway", "meanwhile",
		"can_you", "could_you", "can_u", "would_you", "will_you", "can_we", "could_we", "can_you_please", "could_you_please", "can_you_also", "can_we_also",
		"lets", "let_us", "lets_just", "lets_also", "let", "letts",
		"we_should", "you_should", "we_can", "you_can", "we_could", "you_could", "we_will", "well", "you_will", "we_shall",
		"we_must", "you_must", "we_need_to", "you_need_to", "i_need_to", "i_need_you_to", "need_to", "we_have_to", "you_have_to", "i_have_to",
		"i_want_you_to", "i_want_to", "i_want_u_to", "we_want_to", "i_wanted_to", "want_you_to", "want_to", "i_would_like_to", "i_would_like_you_to", "id_like_to", "id_like_you_to",
		"we_would_like_to", "wed_like_to", "we_also_need_to", "we_should_also", "you_should_also", "i_also_want_to", "id_also_like_to",
		"i_think", "i_guess", "i_believe", "i_suggest", "i_propose", "i_reckon", "i_think_we_should", "i_think_we_can", "i_think_we_could", "i_think_you_should",
		"i_think_we_need_to", "i_feel_like", "im_thinking", "i_was_thinking", "my_thinking_is",
		"go_ahead_and", "try_to", "try_and", "be_sure_to", "make_sure_to", "make_sure_you", "make_sure_we", "make_sure_that_you", "make_sure", "ensure", "remember_to", "feel_free_to", "help_me", "find_a_way_to", "come_up_with_a_way_to",
		"dont_forget_to", "do_not_forget_to", "is_it_possible_to", "are_you_able_to", "do_you_think_you_can", "do_you_think_we_can", "is_there_a_way_to", "it_would_be_nice_to",
		"it_would_be_good_to", "would_be_good_to", "would_be_nice_to", "better_to", "best_to", "it_should", "it_must", "it_needs_to", "it_has_to", "it_can", "it_would",
		"for_now", "in_addition", "on_top_of_that", "after_that", "additionally", "furthermore", "by_the_way", "btw", "fyi", "also_please", "while_you_are_at_it", "one_more_thing",
		"on_second_thought", "come_to_think_of_it", "id_rather", "i_would_rather", "id_prefer_to", "i_prefer_to", "we_agreed_to", "we_decided_to", "i_decided_to", "ive_decided_to", "weve_decided_to", "going_to", "we_are_going_to", "were_going_to", "im_going_to",
		"want_me_to", "would_you_like_me_to", "do_you_want_me_to", "shall_i", "should_i", "i_can", "i_could", "i_would", "id_suggest", "i_would_suggest", "i_recommend", "id_recommend", "happy_to", "if_you_want_i_can", "if_youd_like_i_can", "i_suggest_we", "i_propose_to", "ready_to", "want_to_go_ahead_and", "should_we", "shall_we",
		"i_am_thinking_that_we", "im_thinking_that_we", "im_thinking_we", "i_was_thinking_we", "lets_also_just", "so_we", "then_we", "we_just", "we_simply", "you_just", "id_say", "i_would_say", "the_plan_is_to", "proceed_to", "continue_to", "start_to", "please_proceed_to", "work_on_making", "idea_is_to", "the_goal_is_to", "please_also", "please_just", "lets_please", "also_make_sure_to", "and_then",
		"from_now_on", "going_forward", "in_the_future", "in_future", "decision",
	}
	for _, rules := range [][]gate.Rule{englishActs(), englishStances(), englishBans(), englishDetails(), englishCues()} {
		t.Rules = append(t.Rules, exampled(rules)...)
	}
	return t
}

// englishLists returns the word lists that English patterns refer to by {name}.
// Misspellings that people often type are among the words, since turns are typed in
// haste.
func englishLists() map[string][]string {
	return map[string][]string{
		"colour": words(`red green blue yellow orange purple pink white black grey gray gold lavender brown cyan teal magenta
			transparent bold italic monospace blueish greenish reddish greyish muted`),
		"colour-noun": words(`colour color colors colours font padding margin border width height icon icons tooltip tooltips tool-tips theme
			font-size shade opacity spacing gap alignment`),
		"place": words(`top bottom left right header footer sidebar corner center centre middle homepage front_page main_page home_page
			navbar toolbar modal panel dropdown upper lower front background foreground edge side`),
		"unit": words(`ms sec secs seconds second min mins minutes minute hours hour days day weeks months px pixels rem em % percent
			kb mb gb bytes characters chars words lines rows columns items entries times attempts retries levels spaces digits
			decimals results pages fields`),
		"number": words(`one two three four five six seven eight nine ten twelve single both half double twice once zero`),
		"docs": words(`readme changelog docs documentation doc wiki notes claude.md agents.md readme.md changelog.md gemini.md todo
			todos roadmap plan.md roadmap.md`),
		"tests": words(`test tests testing coverage ci lint linter e2e testcase testcases`),
		"vcs":   words(`branch branches commit commits pr prs issue issues release pull_request worktree main upstream remote origin conflicts ticket`),
		"should": words(`should sould shoud shuold shound shoudl shall ought_to must has_to needs_to need_to have_to
			is_supposed_to is_to are_to`),
		"it":  words(`it this that these those them things stuff everything something`),
		"neg": words(`dont do_not donot don_t never dnt`),

		"renounce": words(`use adopt add introduce depend rely support ship import include allow accept store commit merge push expose bypass
			hardcode hard-code install embed switch migrate go_with go_back pull_in bring_in touch edit rewrite change deploy share log
			send call write put keep cache vendor fork mock maintain build publish release provide offer promise drop break rename`),
		"renouncing": words(`using adopting adding introducing depending relying supporting shipping importing including allowing accepting storing
			committing merging pushing exposing installing embedding switching migrating going_with pulling_in touching maintaining`),
		"renounced": words(`used adopted added introduced supported shipped imported included allowed accepted stored committed merged pushed exposed
			installed embedded touched edited rewritten changed deployed shared logged sent called mocked maintained tolerated permitted`),

		"make": words(`make mark treat leave keep render turn mkae have_the have_it have_a`),
		"change": words(`change rename switch convert migrate turn set bump reduce increase raise lower shorten port transform translate
			flip revise expand extend toggle lengthen widen shrink enlarge point chnage`),
		"move": words(`maintain move put place position insert attach store save append prepend persist dock embed pin nest bring relocate shift align
			center keep_track log`),
		"use": words(`use utilize utilise reuse leverage adopt go_with go_for opt_for settle_on stick_with stick_to choose pick
			stay_with keep_using standardise_on standardize_on rely_on shoot_for switch_to migrate_to move_to try_using prefer`),
		"replace": words(`replace swap substitute exchange`),
		"name":    words(`name call label title rename prefix suffix`),
		"show": words(`show display print highlight mention output return expose emit plot draw visualize style format indicate
			include contain`),
		"drop": words(`drop remove delete ditch omit discard get_rid_of strip skip exclude eliminate leave_out take_out throw_out
			deprecate disable abandon hide rremove remvoe turn_off cut remove_all suppress`),
		"order": words(`sort order group filter merge split combine separate wrap limit cap restrict allow require enforce default
			support cache validate normalize normalise parse encode decode accept reject ignore escape truncate round pad trim map
			expire fall_back fallback enable retry assume treat expect infer derive preserve encrypt
			hash throttle debounce invert separate distinguish calculate compute count detect fail throw raise`),
		"build": words(`add create build implement write introduce generate develop provide define set_up setup wire give_me
			give design hook_up include construct inject wire`),
		"update": words(`update adapt modify adjust edit improve refactor rework simplify optimize optimise polish extend enhance tweak
			restructure reorganize rewrite redesign correct clean clean_up cleanup tidy apply sync`),
		"fix": words(`fix repair resolve solve address adress handle debug finish complete work_on redo retry do`),
		"check": words(`check chceck test review verify validate look read see try inspect investigate investiage analyze analyse
			research study examine audit double-check double_check compare evaluate rate search find locate figure_out learn explore
			reproduce critique scan diagnose benchmark measure profile dig understand confirm recheck ensure_that_you watch consider monitor websearch web_search google`),
		"tell": words(`tell explain describe summarize summarise show_me help suggest propose recommend brainstorm discuss think walk_me
			remind answer clarify argue estimate draft plan outline talk ultrathink let_me_know list_all give_me_a_list collect challenge
			teach quiz ask`),
		"run": words(`run rerun re-run execute start begin open close launch install uninstall spawn restart kill deploy upgrade prepare
			prune upload download fetch restore view stop delegate send activate wait reload refresh_the cd ssh intall register ping
			archive backup boot reboot spaw connect post reply`),
		"git": words(`commit push pull merge rebase stash cherry-pick checkout squash tag release publish hpush commmit comit amend
			resolve_the_conflicts open_a_pr create_a_pr create_a_branch create_a_new_branch make_a_commit create_a_commit
			open_an_issue create_an_issue create_a_pull_request make_a_pr make_a_branch open_a_pull_request push_it bump_version`),
		"go-on": words(`continue proceed resume go_on carry_on keep_going go_ahead next go move_on get_started start_implementation`),
		"state": words(`bigger larger smaller wider taller shorter longer narrower thicker thinner visible hidden invisible optional
			required mandatory sortable scrollable resizable clickable configurable toggleable editable collapsible collapsed expanded
			closed open enabled disabled strict async asynchronous synchronous lazy immutable readonly read-only private public static
			dynamic generic idempotent atomic deterministic unique empty null sticky fixed responsive case-insensitive case-sensitive
			backward_compatible thread-safe stateless faster slower higher brighter darker lighter distinct consistent the_same same
			identical aligned centered literal explicit available accessible persistent permanent temporary concise lightweight
			visible local global random alphabetical automatic manual safe secure`),
		"compare": words(`more less bigger smaller larger higher lower faster slower wider shorter longer simpler easier darker lighter
			closer further fewer earlier later newest latest oldest largest smallest`),
	}
}

// words splits a list written as text. A phrase has underscores: go_with.
func words(s string) []string { return strings.Fields(s) }
