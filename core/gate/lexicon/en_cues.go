package lexicon

import "github.com/memscribe/memscribe/core/gate"

// englishCues tell what a sentence is when it is not an act, or what speaks
// against taking it for one.
//
// Most speak against a decision: a question asks, a symptom reports, a set phrase such
// as "no idea" only looks like an act.
func englishCues() []gate.Rule {
	cue := func(f gate.Family, patterns ...string) gate.Rule {
		return gate.Rule{ID: "en." + f.String(), Family: f, Tier: gate.Cue, Patterns: patterns}
	}
	return []gate.Rule{
		{ID: "en.wh", Family: gate.AskWh, Tier: gate.Cue, Patterns: []string{"^ what|why|how|where|which|who|whats|hows|wheres|whys|whose|how_come|whyd", "wondering|i_wonder|curious_if", "^ the_question|my_question|one_question|question is|are|was|if|whether"}},
		{ID: "en.aux", Family: gate.AskAux, Tier: gate.Cue, Patterns: []string{"^ is|are|was|were|does|did|has|had|isnt|arent|doesnt|didnt|wasnt|should|would|shall|am|shouldnt|wouldnt|couldnt|havent|hasnt|cant|wont i|it|we|you|they|there|this|that|the|these|our|any|my|he|your|a|one|@name", "^ can|could|will i|it|they|there|this|that|the|these|our|any|@name", "^ will|would we", "^ do|have|dont you|we|i|they|these|those|our|any", "^ should|shall|would|does|did|is|are|was|were @any ..20 ?", "{should}|would there|we|i be|have|do|use|also|add|make|just|keep|even"}},
		{ID: "en.veto-dont", Family: gate.VetoPhrase, Tier: gate.Cue, Patterns: []string{"dont|do_not|donot just|tell|forget|worry|know|be|bother|wait|ask|explain|see|care|understand|remember|have|get|mind|give|stop", "^ no idea|problem|worries|wait|way|luck|change|difference|i|it|that|this|you|they|we|the|not|yes", "know|see|check|tell|wonder|decide|sure|ask|determine if|whether", "make|makes sense|check|test|tests|build|install|clean|prepare|lint|fmt|dev|run|gen-docs", "ill|i_will ..3 go|make|change|move|put|use|add|remove|do|set|keep", "no ..3 found|shown|available|displayed|returned|there|here", "back_to ..8 :", "separate|other|another|next|last|different thing|topic|issue|question|matter|one", "pick|choose|take one|any|something|whatever", "agreed|decided|settled on|to yesterday|last|earlier|before|already|today", "we_agreed|we_decided yesterday|earlier|already|last", "back_to main|master|work|it|you|this|that", "let_me @any", "i can|could|will|may be|have|also|only|always|just", "i would be|have", "that|this|it shouldnt|should_not|shouldn_t happen|be|do|have|matter", "should_be good|fine|done|ready|easy|enough|ok|straightforward", "shouldnt|should_not be ..1 hard|difficult|a_problem", "doesnt|dont|isnt|not|didnt|arent|wont|does_not always", "dont_want|do_not_want to waste|lose|spend|bother|worry", "dont|do_not make ..1 changes|edits|modifications $", "dont|do_not make ..1 changes|edits|modifications just|only|yet|until|before|but", "dont|do_not implement|code|change|do|write|edit|start|touch ..2 yet", "dont|do_not change|modify|edit|touch|write|do|fix|implement anything|any_code|any_files|any_file|files|code $", "id_rather|i_would_rather not wait|spend|see|go|talk|deal|have_to", "no_more errors|warnings|problems|issues|failures|complaints|questions", "whenever|every_time|each_time|everytime i run|add|click|open|start|try|use|press|type|change|save|select|go|do|build|call|reload|refresh|switch", "error|errors|warning|bug|issue|exception message|messages|handling|handler|page|state|code|codes|boundary|text|tracker|template|toast|banner", "never mind|seen|heard|worked|had|used|tried|got|been", "will|would|could|can|ll|well|youll never ever? know|understand|happen|finish|remember|notice|believe|guess|find|forget|see|hear|get|reach|hit|need|work|be_able|be_enough|learn|manage|win|stop|end|make_it|arrive|come|become|start|run|return|catch|agree|match", "i_will|i_would|ill|id|it_will|it_would|it_could|itll|that_will|thatll|this_will|they_will|theyll|he_will|she_will|it_can|i_may never|not @any", "not|never going_to finish|make_it|get|know|reach|find|have|happen|work|be_able|manage|understand|see", "wont|will_not ..6 until|today|tonight|yet", "wont|will_not have_to|need_to", "not to_be_seen|to_be_found", "never ..6 at_the_moment|at_present|right_now|currently|so_far|these_days|today|as_of_now|yet", "currently|actually|apparently|really|almost never @any", "i|ive|you|youve|he|she|has|have|had|was|were|is|are|they|theyre|it|its|which|that|who|theoretically never @any"}},
		{ID: "en.veto-can", Family: gate.VetoClause, Tier: gate.Cue, Patterns: []string{"how|what|why|where|whether|which|who ..6 can|could|will|would|should|must|has_to|have_to|need_to|needs_to|be|may"}},
		{ID: "en.offer-tech", Family: gate.OfferTech, Tier: gate.Cue, Patterns: []string{"adding|creating|moving|replacing|switching|renaming|removing|using|changing|implementing|introducing|converting|making|extracting|splitting|storing|returning|dropping|deleting|building|writing|refactoring|updating|migrating|keeping|incorporating|wiring|simplifying|fixing|applying|setting|showing|hiding|including|allowing|supporting|enforcing"}},
		{ID: "en.offer-chore", Family: gate.OfferChore, Tier: gate.Cue, Patterns: []string{"running|checking|committing|pushing|testing|reviewing|looking|investigating|continuing|rebasing|merging|explaining|reading|deploying|restarting|proceeding_to_the|opening", "commit|push|rebase|pr|pull_request|deploy|the_tests|test_suite"}},
		cue(gate.CtxWhatAbout, "what_about|how_about|what_if|any_other|any_idea|any_ideas|any_suggestions|thoughts|make_sense|makes_sense|do_you_agree|what_do_you_think|does_that|is_that|or_not"),
		cue(gate.CtxKnow, "do_you_know|can_you_tell|can_you_explain|do_you_think|do_you_see|do_you_have|have_you|did_you|are_you|will_this|will_it|does_this|does_it|is_it|is_this|is_there|are_there"),
		cue(gate.CtxSymptom, "error|errors|exception|traceback|bug|bugs|crash|crashes|crashed|failing|fails|failed|broken|broke|breaks|bugged|unstable|stuck|hangs|wrong|weird|incorrect|incorrectly|issue|issues|problem|problems|warning|warnings|confusing|confused|unclear|messy|slow"),
		cue(gate.CtxNotWorking, "doesnt_work|does_not_work|not_working|didnt_work|did_not_work|wont_work|isnt_working|not_shown|not_showing|not_loading|cannot|cant|couldnt|could_not|unable_to|doesnt|didnt|does_not|did_not|isnt|wasnt|arent|havent|hasnt|is_not|are_not|was_not|missing", "no_longer work|works|working|function|functions|start|starts|show|shows|load|loads|open|opens|respond|responds|run|runs|build|builds|appears"),
		cue(gate.CtxStill, "still|again|anymore|no_change|same_result|same_error|same_issue|as_before|yet|keeps|keep_getting"),
		cue(gate.CtxISaw, "i_see|i_saw|i_get|i_got|i_noticed|i_notice|ive_noticed|im_seeing|im_getting|i_ran|i_tried|i_just|i_have|ive|i_had|i_was|i_cannot|i_cant|i_found|i_observed|seeing_this|it_says|it_seems|seems_to|seems_like|looks_like|it_looks|it_appears|getting_this|this_happens|i_suspect|i_dont_see|i_didnt|i_perceive|gives_me|i_received|there_seems|i_still|im"),
		cue(gate.CtxYouDid, "you_did|you_have|youve|you_didnt|you_are|youre|you_were|you_added|you_made|you_said|you_broke|you_put|you_forgot|you_seem"),
		cue(gate.CtxPast, "was|were|worked|happened|changed|made|did|went|came|has_been|have_been|had|added|used|got|noticed|updated|created|removed|fixed"),
		cue(gate.CtxPraise, "great|nice|perfect|awesome|excellent|cool|good_job|well_done|looks_good|look_good|looks_great|thanks|thank_you|love_it|i_like_it|amazing|lol|haha|wow", "it|that|this|now|everything|all|which|also works|worked|working", "works|worked now|great|fine|well|perfectly|for", "is|are|seems|looks working|fine|good|better|correct|done|ok", "makes|make sense", "^ done|fine|good|better|correct $"),
		cue(gate.CtxOpinion, "too|kinda|somehow|feels|feel|sounds|looks|look|seem|seems|ugly|boring|hard_to"),
		cue(gate.CtxNow, "right_now|currently|at_the_moment|as_of_now|now_it|so_far|at_present|today"),
		cue(gate.CtxNoChange, "dont|do_not change|implement|fix|do|make|write|touch|code|edit|start|modify|commit anything|any|yet|changes|code|it", "no_code|no_changes|without_changing|before_you_make|before_you_implement|before_making|before_changing|just_explain|only_explain|just_the_analysis|dont_do_anything|plan_mode|just_validate|just_check"),
		cue(gate.CtxHedge, "maybe|perhaps|might|probably|possibly|idk|not_sure|i_dont_know|or_something|something_like|something_else|or_whatever|wonder|considering|potentially|if_possible|if_feasible|if_we_could"),
		cue(gate.CtxThink, "i_think|i_guess|i_believe|i_feel|imo|in_my_opinion|i_assume"),
		cue(gate.CtxIfStart, "what_if|suppose|imagine|hypothetically|in_theory|would_it|would_that|would_be|could_it|assuming"),
		cue(gate.CtxReason, "because|since|cuz|otherwise|due_to|the_reason|reason|therefore|therefor"),
		cue(gate.CtxIll, "ill|i_will|im_going_to|let_me|ive|im|i_am|i_have"),
		cue(gate.CtxPasteIntro, "here_is|heres|here_are|this_is|attached|feedback|comment|comments|output|log|logs|following_error|this_error|i_get"),
		cue(gate.CtxReviewTalk, "consider|this_could|is_returned|are_returned|should_be_avoided|reviewers|nit|these_functions|the_function|this_function|the_comment_says|currently|regressions|ensures|inconsistent"),
		cue(gate.CtxChat, "^ hi|hello|hey|lol|haha|hmm|oh", "question|discuss|talk|opinion|lets_talk|lets_discuss"),
		cue(gate.CtxThereIs, "there_is|there_are|theres|it_is|its|this_is|that_is|thats|these_are|they_are|we_have|it_has|we_are|were|they_have", "my ..2 machine|computer|laptop|server|setup|system|os|environment|phone ..1 is|are|runs|has"),
		cue(gate.CtxErrand, "^ use|using ..5 to {run}|{check}|{tell}|{git}|{fix}|add|write|create|get|find|make_sure|generate", "use a|an|the|your|my ..2 agent|agents|subagent|subagents|sub-agent|skill|mcp|cli", "via|using|with a|the|your subagent|subagents|sub-agent|agent|agents|skill"),
		cue(gate.CtxCanYou, "can_you|could_you|can_u|would_you|will_you|do_you_think_you|are_you_able"),
		cue(gate.CtxCanWe, "can_we|could_we"),
		cue(gate.CtxShouldWe, "should_we|shall_we|do_we|can_i|should_i|could_i|shouldnt_we|cant_we|dont_we"),
		cue(gate.CtxPlease, "please|pls|plz|kindly"),
		cue(gate.CtxLets, "lets|let_us|letts"),
		cue(gate.CtxI, "i"),
		cue(gate.CtxYou, "you"),
		cue(gate.CtxWe, "we"),
	}
}
