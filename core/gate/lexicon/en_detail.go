package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// englishDetails returns what makes an act concrete, or lets it outlive its task.
//
// They never make a decision by themselves; without an act they say where and how.
func englishDetails() []gate.Rule {
	mod := func(f gate.Family, patterns ...string) gate.Rule {
		return gate.Rule{ID: "en." + f.String(), Family: f, Tier: gate.Cue, Patterns: patterns}
	}
	return append([]gate.Rule{
		{
			ID: "en.instead-of", Family: gate.ModInsteadOf, Category: core.DecisionVerb, Tier: gate.Strong,
			Patterns: []string{"instead_of", "in_place_of", "in_favor_of|in_favour_of", "rather_than", "as_opposed_to", "@name over @name"},
			Must:     []string{"use tabs instead of spaces", "Go with a queue rather than polling.", "drop the wrapper in favour of plain functions"},
			MustNot:  []string{"use tabs", "I would rather wait"},
		},
		{
			ID: "en.not-but", Family: gate.ModNotBut, Category: core.DecisionVerb, Tier: gate.Hint,
			Patterns: []string{"not|dont .. but_instead|but_rather|but_also|but_just", ",_not @any", "not_the|not_a|not_an ..3 but", "a|an|the ..2 not_a|not_an|not_the @any", "but_not|not_just", "{use}|{make}|{name} ..4 not @any"},
			Must:     []string{"store it as JSON, not YAML", "not a class but a function"},
			MustNot:  []string{"it is not slow"},
		},
		{
			ID: "en.instead", Family: gate.ModInstead, Category: core.DecisionVerb, Tier: gate.Hint,
			Patterns: []string{"instead"},
			Must:     []string{"call it livez instead"}, MustNot: []string{"use livez"},
		},
		{
			ID: "en.from-to", Family: gate.ModFromTo, Category: core.DecisionVerb, Tier: gate.Hint,
			Patterns: []string{"{change}|adjust|update|modify ..8 to|into @any", "^ move|relocate|migrate ..6 to|into|inside|under @any", "from @any ..3 to|into @any", "replace|swap|substitute ..8 with|by|for @any", "{should} be changed|renamed|moved|converted|set|resolved to|into", "@any -> @any"},
			Must:     []string{"change the colour from green to blue", "rename getOrder to findOrder", "set the ttl to 120"},
			MustNot:  []string{"update the docs", "change it"},
		},
		{
			ID: "en.named", Family: gate.ModNamed, Category: core.DecisionVerb, Tier: gate.Hint,
			Patterns: []string{"named|called|titled|labeled|labelled|entitled @name|@quote|it", "call|name it|this|that|them|the @any", "{should} say|read @quote", "name_it|call_it"},
			Must:     []string{"a file called `notes.md`", "name it Store"},
			MustNot:  []string{"what is it"},
		},
		{
			ID: "en.always", Family: gate.ModAlways, Category: core.Memory, Tier: gate.Strong,
			Patterns: []string{"always", "every_time|each_time|everytime|whenever|at_all_times|without_exception|by_convention|as_a_rule|rule_of_thumb"},
			Must:     []string{"always squash commits", "whenever a file is added update the list"},
			MustNot:  []string{"one time"},
		},
		{
			ID: "en.from-now-on", Family: gate.ModFromNowOn, Category: core.Memory, Tier: gate.Strong,
			Patterns: []string{"from_now_on|going_forward|from_here_on|henceforth|in_the_future|in_future|from_this_point|for_future|as_you_go|as_we_go|moving_forward|from_today"},
			Must:     []string{"from now on tests live next to the code", "going forward use squash merges"},
			MustNot:  []string{"forward it"},
		},
		{
			ID: "en.remember", Family: gate.ModRemember, Category: core.Memory, Tier: gate.Strong,
			Patterns: []string{"^ remember|memorize|note that|to|this", "keep_in_mind|bear_in_mind|for_the_record|our_convention|our_policy|our_standard|the_convention|the_rule_is|house_rule|the_policy|convention_is|rules_are"},
			Must:     []string{"remember that we ship on Fridays", "keep in mind that it runs offline"},
			MustNot:  []string{"do you remember?"},
		},
		{
			ID: "en.everywhere", Family: gate.ModEverywhere, Category: core.Memory, Tier: gate.Hint,
			Patterns: []string{"everywhere|throughout|across_the_board|consistently|project-wide|globally|all_over|in_all_places|across_all|across_the|in_sync|up_to_date_with|for_the_whole_project", "^ every|all|each|any ..6 must|needs|need|has_to|have_to"},
			Must:     []string{"use UTC everywhere", "keep the readme in sync with the code"},
			MustNot:  []string{"where is it?"},
		},
		{
			ID: "en.bound", Family: gate.ModBound, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"at_most|at_least|no_more_than|no_less_than|not_more_than|up_to|less_than|more_than|fewer_than|within|maximum|minimum|max|min|exactly|capped_at|limited_to|after|to|of|by|at @num|{number}", "@num {unit}", "cap|limit ..4 @num"},
			Must:     []string{"tokens expire after 15 minutes", "at most 3 retries", "cap it at 500"},
			MustNot:  []string{"at most places"},
		},
		{
			ID: "en.must", Family: gate.ModMust, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"must|mandatory|is_required|are_required|obligatory", "has_to|have_to|needs_to|need_to be|work|support|run|stay|remain|survive|handle|fit"},
			Must:     []string{"it must work offline", "the name needs to be unique"},
			MustNot:  []string{"it should work", "we need to go"},
		},
		{
			ID: "en.default", Family: gate.ModDefault, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"by_default|by_defaults|default_to|defaults_to|the_default|default_is|default_value|as_default|as_the_default|default_of|fall_back_to|fallback_to|falls_back"},
			Must:     []string{"closed by default", "default to UTC"}, MustNot: []string{"reset it"},
		},
	}, []gate.Rule{
		mod(gate.ModOnly, "only|solely|exclusively|nothing_but|just_the"),
		mod(gate.ModAll, "all|each|every|both|entire|whole|any"),
		mod(gate.ModState, "{make}|be|is|are|to_be|stay|remain|them|it ..4 {state}", "^ {make} ..8 {state}"),
		mod(gate.ModColour, "{colour}"),
		mod(gate.ModStyle, "{colour-noun}"),
		mod(gate.ModPlace, "{place}", "next_to|beside|underneath|on_top_of|in_front_of|left_of|right_of|between|side_by_side|above|below|beneath"),
		mod(gate.ModIn, "in|on|into|onto|at|under|inside|within|to the|a|an|each|every|its|our|@name|all"),
		mod(gate.ModWith, "with|without|including|containing|via|through|using"),
		mod(gate.ModThat, "that|which|where|whose @any"),
		mod(gate.ModSoThat, "so_that|such_that|so_we|so_it|so_i|so_you|in_order_to|so_they|to_avoid|to_prevent|to_make|to_be|to_have"),
		mod(gate.ModAs, "as|like @any", "as_a|as_the|as_an"),
		mod(gate.ModFor, "for @any"),
		mod(gate.ModBy, "by @any"),
		mod(gate.ModTo, "to @any"),
		mod(gate.ModToBe, "to_be|to_have|be_able"),
		mod(gate.ModWhen, "when|if|once|until|unless|after|while|as_long_as|in_case|before|upon @any"),
		mod(gate.ModSame, "same|similar|similarly|likewise|matching|matches|match|consistent_with|in_line_with|according_to|following|based_on|such_as|e.g|for_example|like_we|as_we"),
		mod(gate.ModCompare, "{compare}"),
		mod(gate.ModNumber, "{number}"),
		mod(gate.ModUnit, "{unit}"),
		mod(gate.ModAllow, "allow|allows|allowing|enable|able_to|ability_to|possible_to|option_to|users_can|user_can|can_be|could_be|optional|optionally"),
		mod(gate.ModSupport, "support|supports|supported|supporting|compatible|handle|handles"),
		mod(gate.ModDocs, "{docs}"),
		mod(gate.ModTests, "{tests}"),
		mod(gate.ModVcs, "{vcs}"),
		mod(gate.ModVague, "^ @word {it}", "^ @word ..1 {it} $"),
		mod(gate.ModPronoun, "{it}"),
		mod(gate.ModAlso, "also|too|as_well|additionally"),
		mod(gate.ModRather, "rather|a_bit|slightly|kind_of|a_little|somewhat|sort_of"),
		mod(gate.ModTheX, "the @any|@word of|in|on|for"),
		mod(gate.ModPlan, "plan|plans|phase|idea|ideas|suggestions|proposal|roadmap|milestone|ways"),
		mod(gate.ModMeta, "session|context|compact|compacting|message|messages|conversation|chat|prompt|prompts|agent|agents|subagent|subagents|sub-agent|task|tasks|instructions|worker|workers|mcp|token|tokens|rule|rules|memory|skill|skills|model|claude|codex|gemini|gpt|cursor|copilot|opus|sonnet"),
		mod(gate.ModFile, "file|files|folder|directory|dir|path|repo|repository|script|scripts|code|codebase|project"),
		mod(gate.ModProduct, "button|buttons|page|table|column|columns|row|rows|list|field|fields|text|image|menu|form|view|chart|graph|label|user|users|name|message|format|value|values|color|title|line|lines|level|player|endpoint|api|flag|option|setting|settings|command|box|card|tab|dialog|input|output"),
		mod(gate.ModScope, "for_now|defer|later|postpone|out_of_scope|in_scope|first_version|v1|mvp|at_first"),
		mod(gate.ModBe, "be|is|are|being"),
	}...)
}
