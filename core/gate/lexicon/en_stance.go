package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// englishStances returns the ways to lay something down without an imperative.
//
// Those with Tier Strong and a category decide even without an act: "we decided on
// gRPC".
func englishStances() []gate.Rule {
	return []gate.Rule{
		{
			ID: "en.should", Family: gate.ActShould, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"@any {should}", "^ {should}"},
			Must:     []string{"the buttons should be red", "it must return an empty list", "there has to be a default"},
			MustNot:  []string{"does it work?"},
		},
		{
			ID: "en.we-should", Family: gate.ActWeShould, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"we|you|i {should}", "we|you should_also|should_just|should_probably|should_only|should_still"},
			Must:     []string{"we should add tests"},
			MustNot:  []string{"should we add tests?"},
		},
		{
			ID: "en.can-be", Family: gate.ActCan, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"it|they|there|this|that|which|users|user|people|one can|could|will|would|may", "@word can|could|will|would|may be|use|have|just|also|only|always", "we|you can|could just|also|leave|keep|use|drop|remove|skip|ignore|go|reuse|add|put|make|then"},
			Must:     []string{"it can just say press y", "the board can use gold", "we can leave them as they are"},
			MustNot:  []string{"can it?"},
		},
		{
			ID: "en.always-do", Family: gate.ActAlways, Category: core.Memory, Tier: gate.Strong,
			Patterns: []string{"^ always @any", "^ from_now_on|from_here_on|from_this_point_on|going_forward|moving_forward|henceforth|in_future|in_the_future ,? @any", "^ remember|note that|to|this|:", "^ keep_in_mind|bear_in_mind", "^ every_time|whenever|each_time @any", "^ every|each ..4 needs|must|has_to @any", ", always|permanently $"},
			Must:     []string{"Always squash commits.", "From now on tests live next to the code.", "remember that we ship on Fridays"},
			MustNot:  []string{"You always do that.", "Do you remember?"},
		},
		{
			ID: "en.we-do", Family: gate.ActWeDo, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"^ we|you|it|they|that just|simply|only|then|also|now|either? {drop}|{use}|{make}|{replace}|{show}|{order}", "then|so|and we|you {drop}|{use}|{make}|{replace}|{show}|{order}|add", "^ we {drop}|{make}|{replace} the|it|this|that|these|them|all", "and|or|but|then shows|returns|displays|uses|opens|closes|goes|moves|stays|becomes|gets"},
			Must:     []string{"then we override it with the default, so we drop the column"},
			MustNot:  []string{"we added it"},
		},
		{
			ID: "en.is-value", Family: gate.ActIsValue, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"is|are|be|= @num|@code|@quote $", "will be|always|only|never|not|then", "are|is to|supposed be|to"},
			Must:     []string{"the default port is 8080", "posts will always be sorted", "the accent is #8abeb7"},
			MustNot:  []string{"it is slow"},
		},
		{
			ID: "en.want", Family: gate.ActWant, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"i|we also|just|really|only|still|will? want|wnat|wish", "well|ill want|need", "i|we would also|really? like|love", "id|wed also|really? like|love|want", "i|we also|just|really? want|would_like|wnat to_see|to_have|to_be_able_to", "id|wed also? like|love to_see|to_have|to_be_able_to", "ideally|desired_behaviour|desired_behavior"},
			Must:     []string{"I want a table", "I'd like it sorted", "ideally detect it"},
			MustNot:  []string{"do you want it?"},
		},
		{
			ID: "en.need", Family: gate.ActNeed, Category: core.Imperative, Tier: gate.Hint,
			Patterns: []string{"i|we need|will_need|also_need|needs", "we_will_need|we_will_also_need|it_needs|there_needs", "@any needs @any"},
			Must:     []string{"we need a lock", "I need two columns"},
			MustNot:  []string{"do they need it?"},
		},
		{
			ID: "en.prefer", Family: gate.ActPrefer, Category: core.DecisionVerb, Tier: gate.Strong,
			Patterns: []string{"i_prefer|i_would_prefer|id_prefer|we_prefer|preferably|preference_is|id_rather|i_would_rather|wed_rather", "i_like|i_liked ..6 better|more|best", "prefer|choose|pick @any ..3 over"},
			Must:     []string{"I prefer named exports", "I'd rather keep one file", "i liked the circle better", "prefer Zod over Joi"},
			MustNot:  []string{"what do you prefer?"},
		},
		{
			ID: "en.decided", Family: gate.ActDecided, Category: core.DecisionVerb, Tier: gate.Strong,
			Patterns: []string{"i_choose|i_pick|we_chose|i_chose|we_picked|i_picked|we_choose|my_choice|my_pick|final_decision|decision_:|decided_to|decided_on|agreed_on|agreed_to|we_agreed|we_decided|ive_decided|the_decision_is|lets_go_for|lets_go_with|lets_take|lets_keep", "^ @word|@name it_is $", "we_will|well do @any ..4 ,_not|not|instead_of|rather_than", "lets_do a|an|the|@num|@name|@code|option|both|one|all"},
			Must:     []string{"we decided on gRPC", "Decision: structured logs.", "let's go with date on every line"},
			MustNot:  []string{"who decides?"},
		},
		{
			ID: "en.option-pick", Family: gate.ActOption, Category: core.DecisionVerb, Tier: gate.Strong,
			Patterns: []string{"option|approach|variant|alternative|solution|suggestion|suggestions|proposal|options @num|a|b|c|d", "^ do|take|use|address|adress|implement|apply|fix @num", "go_with|go_for|pick|choose|prefer @num $", "go_with|go_for|take|prefer|choose|pick|think a|b|c|d $", "^ a|b|c|d $", "the first|second|third|last|former|latter one|option|approach $", "^ do|take|implement|address ..3 suggestion|suggestions|items|points @num"},
			Must:     []string{"option 2", "go with option 1", "let's do 3", "yes, let's go with A", "do 1,2 and 5"},
			MustNot:  []string{"what are my options?"},
		},
		{
			ID: "en.yes", Family: gate.ActYes, Category: core.Confirmation, Tier: gate.Hint,
			Patterns: []string{"^ yes|yeah|yea|yep|yup|yess|yah|absolutely|definitely|agreed|approved|lgtm|y|ok|okay", "^ sounds_good|do_it|make_it_so|do_that|do_so|go_for_it|please_do|ship_it|works_for_me|go_ahead|sure|right|correct|exactly|perfect|great", "im_fine_with|i_am_fine_with|i_agree|sounds_good|works_for_me|thats_fine", "lets_do it|that|this|so"},
			Must:     []string{"yes please", "sounds good", "go ahead"},
			MustNot:  []string{"what?"},
		},
		{
			ID: "en.accept", Family: gate.ActAccept, Category: core.Confirmation, Tier: gate.Hint,
			Patterns: []string{"^ implement|use|apply|do|take|follow|accept|address|go_with your|the|these|those ..1 suggestion|suggestions|proposal|propsal|recommendation|recommendations|suggested|approach|idea|plan", "^ implement all ..1 of|these|them|those", "yes_to_all|do_all|all_of_the_above|as_suggested|as_proposed|as_recommended|as_you_suggested", "^ address|adress|implement|do|apply them|these|it|those|all|that|this", "^ start_implementing|start_implementation|start_coding|proceed", "go_ahead and"},
			Must:     []string{"implement your suggestion", "do all of these", "use your suggested approach"},
			MustNot:  []string{"what is it?"},
		},
		{
			ID: "en.revert", Family: gate.ActRevert, Category: core.Rejection, Tier: gate.Strong,
			Patterns: []string{"^ revert|undo|roll_back|rollback|restore", "^ go_back|going_back to", "^ go_back $", "^ back_to_the|back_to", "revert_to|reverted|i_will_revert|ill_revert", "^ forget|scrap|scratch the|that|it|about|my|@name|@word", "scrap_that|scrap_it|scrap_this|forget_that|forget_it|forget_about|strike_that|on_second_thought|changed_my_mind|change_of_plan|change_of_plans", "^ {make}|do|change|have ..4 like|as|how ..3 before|again|originally", "^ bring|put|switch|change|set|turn|move ..3 back"},
			Must:     []string{"let's go back to the single file", "revert the navigation bar", "scrap that", "on second thought use the old one"},
			MustNot:  []string{"when will you be back?"},
		},
		{
			ID: "en.actually", Family: gate.ModActually, Category: core.Rejection, Tier: gate.Hint,
			Patterns: []string{"^ actually", "actually_no|actually_lets|so_actually|no_wait|wait_no|nevermind|never_mind"},
			Must:     []string{"actually make it 200", "so actually I liked it", "no wait"},
			MustNot:  []string{"is it actually used?"},
		},
		{
			ID: "en.reject", Family: gate.ActReject, Category: core.Rejection, Tier: gate.Hint,
			Patterns: []string{"^ no $", "^ nope|nah|nooo|noo|noooo|naw|nay", "not_what_i|i_did_not_mean|i_didnt_mean", "^ not @name $", "too_much_of|bad_idea|not_a_good_idea|not_a_fan"},
			Must:     []string{"no, go with readyz", "I did not mean Oracle"},
			MustNot:  []string{"no idea why", "I like it"},
		},
	}
}

// englishBans returns the rules for forbidding in English.
//
// "Don't" alone is a hint, since much that begins so is no ban ("don't worry", "don't
// forget to"); never, must not and what is ruled out are strong.
func englishBans() []gate.Rule {
	return []gate.Rule{
		{
			ID: "en.never", Family: gate.ActNever, Category: core.Ban, Tier: gate.Strong,
			Patterns: []string{"never *? @any", "under_no_circumstances|off_limits|forbidden|prohibited|not_allowed|disallowed|not_permitted"},
			Must:     []string{"never touch the vendored files", "inline styles are forbidden"},
			MustNot:  []string{"nevermind"},
		},
		{
			ID: "en.must-not", Family: gate.ActMustNot, Category: core.Ban, Tier: gate.Strong,
			Patterns: []string{"must_not|mustnt|must_never|shall_not|should_never|may_not|must_omit|are_not_to|is_not_to|cannot_be|can_not_be"},
			Must:     []string{"the schema must not be changed", "it should never block"},
			MustNot:  []string{"it must be fast"},
		},
		{
			ID: "en.renounce", Family: gate.ActMustNot, Category: core.Ban, Tier: gate.Strong,
			Patterns: []string{
				"we|you will|shall|ll not|never ever? {renounce}", "we|you wont|shant ever? {renounce}", "well not {renounce}",
				"we_are|were|we|we_re never|not going_to {renounce}", "we_arent|we_are_not|were_not ever going_to {renounce}", "we_will_not|we_wont|well_not|well_never|we_will_never be {renouncing}",
				"no_one|noone|nobody may|must|shall|should|can|is_to|gets_to|is_allowed_to ever? {renounce}|{drop}|{git}|{change}|{update}",
				"will|shall never|not be {renounced} in|here|anywhere|again|anymore", "is|are|was|were never to be @word", "i|we never want to_see|to_use|to_have|to_find|a|an|any|the|@name",
				"dont|do_not ever want to_see|to_use|to_have|to_find|a|an|any|the|@name", "we dont|do_not {renounce} ..4 here|in_this|in_our",
			},
			Must: []string{
				"We will never use Redis.", "we won't use Redis", "we're never going to use left-pad", "no one may push to main", "we won't be using Redis",
				"Redis will never be used here", "the key is never to be logged", "I never want to see left-pad again",
			},
			MustNot: []string{"we will never know", "it will never work like this", "no one may know why", "we won't have time", "I will not use my laptop"},
		},
		{
			ID: "en.ruled-out", Family: gate.ActNever, Category: core.Ban, Tier: gate.Strong,
			Patterns: []string{
				"is|are|its|theyre|thats off_the_table|out_of_the_question|a_no_go|a_no-go|a_non-starter|no_longer_an_option|out_of_bounds",
				"is|are not_an_option|no_option $", "is|are not_an_option|no_option for|here", "has|have no_place in this|our|the|a", "is|are banned|taboo here|throughout|everywhere|in|from this|our|the|here|throughout|everywhere|now",
			},
			Must:    []string{"Redis is off the table", "jQuery has no place in this codebase", "eval is banned in this project", "a rewrite is out of the question"},
			MustNot: []string{"the cup fell off the table", "the user was banned", "that is not an option in the menu"},
		},
		{
			ID: "en.should-not", Family: gate.ActShouldNot, Category: core.Ban, Tier: gate.Hint,
			Patterns: []string{"should_not|shouldnt|sould_not|shoud_not|should_no_longer", "dont_think ..4 should|need"},
			Must:     []string{"the buttons should not vanish", "I don't think we should create folders"},
			MustNot:  []string{"should we?"},
		},
		{
			ID: "en.dont", Family: gate.ActDont, Category: core.Ban, Tier: gate.Hint,
			Patterns: []string{"^ dont|do_not|donot|don_t|dnt @any", "lets_not", "^ avoid|stop|refrain_from @any", "just dont"},
			Must:     []string{"don't add new dependencies", "please do not sort here", "let's not cache that"},
			MustNot:  []string{"I don't know", "we don't have it"},
		},
		{
			ID: "en.dont-want", Family: gate.ActDontWant, Category: core.Ban, Tier: gate.Hint,
			Patterns: []string{"i|we dont_want|do_not_want|absolutely_dont_want|really_dont_want|dont_really_want", "dont|do_not want"},
			Must:     []string{"I don't want the team name in front", "we do not want emojis"},
			MustNot:  []string{"I want it"},
		},
		{
			ID: "en.dont-like", Family: gate.ActDontLike, Category: core.Rejection, Tier: gate.Hint,
			Patterns: []string{"dont_like|do_not_like|dont_lie|dont_love|dont_agree|disagree_with|hate"},
			Must:     []string{"I don't like the idea of a wrapper"},
			MustNot:  []string{"I like it"},
		},
		{
			ID: "en.dont-need", Family: gate.ActDontNeed, Category: core.Rejection, Tier: gate.Hint,
			Patterns: []string{"we|you|i|it dont_need|do_not_need|doesnt_need|dont_even_need|no_longer_need|dont_have_to|do_not_have_to|wont_need|dont_think_we_need|shouldnt_need|dont_need_to", "we_are_not|were_not|we_arent going_to|doing|using|supporting|adding|splitting|building|shipping|changing|touching|moving|switching", "no_need|not_necessary|not_needed|unnecessary|not_required"},
			Must:     []string{"we don't need suffixes", "no need for a class here"},
			MustNot:  []string{"we need a test"},
		},
		{
			ID: "en.no-x", Family: gate.ActNoX, Category: core.Ban, Tier: gate.Hint,
			Patterns: []string{"^ no @word $", "^ no @word @word $", "no more|new|extra|additional|external|unnecessary|breaking|further @any", "want_no|wants_no|there_should_be_no", "no @any please $"},
			Must:     []string{"no new dependencies", "no emdashes", "no more console.log", "I want no unnecessary lines"},
			MustNot:  []string{"there is no error", "no content is shown, whatever I choose"},
		},
	}
}
