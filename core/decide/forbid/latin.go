package forbid

// mild are English verbs, and words in their place, behind which a negated imperative forbids
// nothing: it consoles ("don't worry"), reminds ("don't forget") or tells a state ("don't
// know").
const mild = "worry forget hesitate mind bother know think see like want need have care understand get be feel believe remember expect let give tell wait ask " +
	"even seem look work stop panic miss lose agree appear exist matter mean trust sure it i you we they the a an that this what why how " +
	"happened happen worked works seen had been was were did got tried used heard knew find reach finish manage win succeed regret show"

// english returns the form of an English clause of at least two words, by its first words:
//
//	don't, do not, never, not to, let's not + verb     Order, unless the verb is mild
//	we, you + never, will not, must not + verb         Order
//	avoid, refrain, stop + -ing                        Order
//	make, add, use … no + noun                         Order
//	no + up to six words                               Without, unless it reports ("no rows returned")
//	… must not, is forbidden, is off the table …       Duty, anywhere in the clause
func english(w []string) Form {
	verb := 0
	switch first := w[0]; first {
	case "don't", "dont", "never":
		verb = 1
	case "do", "not", "let's", "lets":
		switch {
		case first == "do" && w[1] == "not", first != "do" && first != "not" && oneOf(w[1], "not never"), first == "not" && w[1] == "to":
			verb = 2
		}
	case "avoid", "refrain", "stop":
		if oneOf(w[1], "this that it") || first == "stop" && !ends(w[1], "ing") {
			return None
		}
		return Order
	case "no":
		if oneOf(w[1], "one") && oneOf(at(w, 2), "may must shall should can") {
			return Duty
		}
		if len(w) <= 7 && !ends(w[len(w)-1], "ed returned found shown") && !holds(w, "el|la|los|las|de|del|que|qué|lo|ya|esta|está|en|se|te|me|es|hay|con|por|para|funciona|uma|não|mas|si|un|una") &&
			!oneOf(w[1], `problem problems idea worries need way luck it i that this you we they the not yes longer one change changes matter error errors
				difference doubt result results response output logs log such sign effect reason thanks wait its it's more`) {
			return Without
		}
		return None
	case "nobody", "noone":
		if oneOf(w[1], "may must shall should can") {
			return Duty
		}
	case "nothing":
		if holds(w, "may be|must be|shall be|should be") {
			return Duty
		}
	case "under", "on":
		if w[1] == "no" && oneOf(at(w, 2), "circumstances account") {
			return Order
		}
	case "make", "add", "introduce", "use", "create", "write":
		if w[1] == "no" && len(w) > 2 && !oneOf(w[2], "sense difference mistake assumptions progress") {
			return Order
		}
	case "we", "you":
		verb = denied(w)
	case "i":
		if holds(w, "never want to see|ever want to see") {
			return Duty
		}
		return None
	}
	if verb > 0 {
		for oneOf(at(w, verb), "ever directly just again accidentally blindly automatically manually also simply try to") {
			verb++
		}
		if v := at(w, verb); v != "" && 'a' <= v[0] && v[0] <= 'z' && !oneOf(v, mild) && !ends(v, "ed") {
			return Order
		}
		return None
	}
	if !oneOf(w[0], "it that this they he she there") && holds(w, english2) {
		return Duty
	}
	return None
}

// english2 are the phrases by which English forbids what is named before or behind them.
const english2 = "must not|mustn't|must never|shall not|should never|may never|is forbidden|are forbidden|is prohibited|are prohibited|is not allowed|are not allowed|isn't allowed|aren't allowed|" +
	"is off limits|are off limits|is off-limits|is banned|are banned|not allowed to|never allowed|strictly forbidden|strictly prohibited|forbidden to|prohibited to|" +
	"is off the table|are off the table|out of the question|a no-go|is not an option|are not an option|has no place in|have no place in|will not be accepted|never to be|will never be used|must be no|may be no|shall be no"

// denied returns the index of the verb that "we" or "you" shall not do; 0 if the clause does
// not deny one. "You are never going to" and "we are not going to" tell an intention and count
// as well.
func denied(w []string) int {
	switch {
	case oneOf(w[1], "never won't wont mustn't shan't"):
		return 2
	case oneOf(w[1], "will shall must should") && oneOf(at(w, 2), "not never"):
		return 3
	case oneOf(w[1], "are were can may") && oneOf(at(w, 2), "never") && at(w, 3) != "going":
		return 3
	case w[1] == "are" && oneOf(at(w, 2), "not never") && at(w, 3) == "going" && at(w, 4) == "to":
		return 5
	case oneOf(w[1], "aren't") && at(w, 2) == "going" && at(w, 3) == "to":
		return 4
	}
	return 0
}

// german returns the form of a German clause. A clause with a subject ("ich", "es", "man")
// tells or asks; without one, a negation beside an infinitive ("nicht anfassen") or behind an
// imperative ("fasse … nicht an") orders.
func german(w []string) Form {
	last := w[len(w)-1]
	if holds(w, "darf nicht|dürfen nicht|darf nie|dürfen nie|darf niemals|dürfen niemals|darf kein|darf keine|dürfen keine|ist verboten|sind verboten|nicht erlaubt|untersagt|auf keinen fall|darfst nicht|darfst du nicht") {
		return Duty
	}
	if holds(w, "ich|wir|es|sie|er|du|man|kann|können|will|werde|wird|habe|hat|haben|ist|sind|warum|wieso|würde|könnte|sollte|soll|muss|war|dass") {
		return None
	}
	if holds(w, "sorge|sorgen|ahnung|angst|vergiss|vergessen|wundern|zögern") {
		return None
	}
	if !holds(w, "nicht|nie|niemals|nichts|kein|keine|keinen|keinerlei") {
		if oneOf(w[0], "vermeide vermeiden unterlasse verbiete") {
			return Order
		}
		return None
	}
	switch {
	case oneOf(w[0], "nicht nie niemals nichts") && ends(last, "en ern eln") && !oneOf(last, "gefunden worden werden können") && (len(last) <= 6 || last[:2] != "ge"),
		oneOf(last, germanActs) && holds(w[max(0, len(w)-3):], "nicht|nie|niemals|nichts|kein|keine|keinen"),
		oneOf(last, germanActs) && oneOf(w[0], "kein keine keinen keinerlei"):
		return Order
	case oneOf(w[0], `verwende verwendet benutze nutze nimm ändere verändere bearbeite lösche entferne erstelle erzeuge füge fasse fass fasst mach mache schreib schreibe lass lasse bau baue setz setze leg lege führ führe
		committe commite pushe push commit installiere rühr rühre pack packe speichere überschreibe refaktoriere refactore starte stelle stell gib logge ersetze benenne verschiebe kopiere importiere teste mocke rufe`):
		return Order
	case oneOf(w[0], "kein keine keinen keinerlei") && len(w) <= 6 && !oneOf(w[1], "fehler idee zeit lust eile panik probleme problem änderung änderungen reaktion antwort wirkung"):
		return Without
	}
	return None
}

// germanActs are infinitives by which German orders.
const germanActs = "anfassen ändern verändern bearbeiten löschen verwenden benutzen nutzen committen pushen hinzufügen einbauen einführen erstellen anlegen überschreiben umbenennen entfernen loggen speichern " +
	"schreiben einsetzen berühren installieren mocken ausführen starten aufrufen verschieben kopieren"

// french returns the form of a French clause. The negation has two parts: "ne" or "n'" before
// the verb, and "pas", "plus", "jamais", "rien" behind it; before an infinitive both are in
// front ("ne pas supprimer").
func french(w []string) Form {
	if holds(w, "ne doit pas|ne doivent pas|ne dois pas|ne devez pas|ne doit jamais|ne doivent jamais|il ne faut pas|il ne faut jamais|est interdit|sont interdits|est interdite|sont interdites|interdit de|interdiction de|en aucun cas|est proscrit|ne devra pas|ne devront pas|ne doit plus|n'est pas autorisé") {
		return Duty
	}
	if oneOf(w[0], "évite évitez éviter") {
		return Order
	}
	verb := ""
	switch {
	case w[0] == "ne" && oneOf(at(w, 1), "pas jamais plus rien"):
		verb = at(w, 2)
		if verb == "le" || verb == "la" || verb == "les" || verb == "y" || verb == "en" {
			verb = at(w, 3)
		}
		if !ends(verb, "er ir re") {
			return None
		}
	case w[0] == "ne" && denies(w[1:]):
		verb = w[1]
	case len(w[0]) > 3 && (w[0][:2] == "n'") && denies(w):
		verb = w[0][2:]
	case oneOf(w[0], "pas plus") && oneOf(w[1], "de d'") && len(w) <= 8 && !oneOf(at(w, 2), "problème problèmes souci soucis chance résultat erreur changement"), oneOf(w[0], "aucun aucune") && len(w) <= 6 && !oneOf(w[1], "problème idée souci erreur changement résultat"):
		return Without
	case w[0] == "jamais" && len(w) <= 8:
		return Without
	}
	if verb == "" || oneOf(verb, `t'inquiète t'inquiete inquiète vous inquiétez oublie oubliez oublier oublions hésite hésitez hésiter t'en s'en est sont suis sais sait comprends vois voit peux peut peuvent
		fonctionne fonctionnent marche marchent s'affiche s'affichent apparait apparaît y a ai as trouve arrive correspond change veux veut faut semble se me`) {
		return None
	}
	return Order
}

// denies reports whether the negation that "ne" has begun ends within the next three words.
func denies(w []string) bool {
	for k := 1; k <= 3; k++ {
		if oneOf(at(w, k), "pas jamais plus rien aucun aucune surtout") {
			return true
		}
	}
	return false
}

// spanish returns the form of a Spanish clause. A negated order is in the subjunctive ("no
// toques"), which has the form of no statement; the verbs are listed, since endings alone would
// take "no funciona" for one.
func spanish(w []string) Form {
	if holds(w, "no debe|no deben|no debes|no debemos|no se debe|no se deben|está prohibido|esta prohibido|prohibido|queda prohibido|nunca debe|nunca deben|bajo ningún concepto|bajo ninguna circunstancia|no está permitido|no se permite|no se permiten|no quiero que uses|no quiero que toques|no quiero que cambies") {
		return Duty
	}
	if oneOf(w[0], "evita evite evitar") && !oneOf(w[1], "que") {
		return Order
	}
	verb := at(w, 1)
	switch {
	case w[0] == "nada" && w[1] == "de" && len(w) <= 7, w[0] == "ningún" && len(w) <= 6, w[0] == "ninguna" && len(w) <= 6:
		return Without
	case !oneOf(w[0], "no nunca jamás jamas"):
		return None
	case oneOf(verb, "me te le lo la los las se vuelvas vuelva"):
		if verb == "te" {
			return None // no te preocupes
		}
		if oneOf(verb, "vuelvas vuelva") {
			return Order
		}
		return None
	case oneOf(at(w, 2), "que") && oneOf(verb, "crees creas pienses digas"):
		return None
	case oneOf(verb, `uses utilices toques agregues añadas cambies modifiques borres elimines hagas pongas subas crees incluyas metas edites escribas ejecutes corras instales generes muevas renombres quites mezcles dupliques
		commitees pushees subas mandes envíes guardes muestres rompas refactorices inventes asumas alteres sobrescribas reescribas implementes empieces dejes permitas traduzcas comentes importes copies abras llames mockees
		use utilice toque agregue añada cambie modifique borre elimine haga ponga suba cree incluya edite escriba ejecute instale genere mueva quite toquen usen hagan modifiquen usemos hagamos pongamos toquemos cambiemos agreguemos`),
		ends(verb, "ar er ir") && !oneOf(verb, "ser estar haber poder saber ver deber ayer funcionar olvidar"):
		return Order
	}
	return None
}

// portuguese returns the form of a Portuguese clause. As in Spanish the verbs of a negated
// order are listed; an infinitive behind "não" orders too.
func portuguese(w []string) Form {
	if holds(w, "não deve|não devem|não se deve|não pode ser|não podem ser|nunca deve|nunca devem|é proibido|está proibido|fica proibido|proibido|não é permitido|de jeito nenhum|em hipótese alguma|nao deve|nao devem") {
		return Duty
	}
	if oneOf(w[0], "evite evitar evita") && !oneOf(w[1], "que") {
		return Order
	}
	if !oneOf(w[0], "não nao nunca jamais") {
		return None
	}
	verb := w[1]
	if oneOf(verb, "me o a os as") {
		verb = at(w, 2)
	}
	if oneOf(verb, `use utilize adicione mexa mude altere coloque faça faca crie remova apague toque edite inclua escreva execute rode instale gere mova renomeie tire misture duplique modifique delete suba envie salve mostre quebre
		refatore invente assuma sobrescreva reescreva implemente comece deixe permita traduza comente importe copie abra chame exclua ponha insira commite comite pushe dê dialogue responda exponha troque
		usem mexam façam alterem vamos usemos mexe usa altera coloca`) || ends(verb, "ar er ir") && !oneOf(verb, "ser estar haver poder saber ver dever funcionar esquecer") {
		return Order
	}
	return None
}

// italian returns the form of an Italian clause. "Non" with an infinitive forbids ("non
// modificare"), with another form it tells ("non funziona").
func italian(w []string) Form {
	if holds(w, "non deve|non devono|non devi|non dobbiamo|non si deve|è vietato|e' vietato|vietato|è proibito|proibito|in nessun caso|non è consentito|non è permesso|mai e poi mai") {
		return Duty
	}
	if oneOf(w[0], "evita evitare evitate") {
		return Order
	}
	if oneOf(w[0], "niente nessun nessuna nessuno mai") && len(w) <= 7 && !oneOf(w[1], "problema errore male da di che") {
		return Without
	}
	if w[0] != "non" || oneOf(w[1], "dimenticare esitare essere avere potere sapere dimenticate preoccupare funzionare") {
		return None
	}
	if ends(w[1], "are ere ire arlo arla arli arle erlo irlo rre ate ete ite far") {
		return Order
	}
	return None
}

// russian returns the form of a Russian clause: "не" or "никогда не" with an imperative or an
// infinitive, unless the verb consoles or tells what one can do.
func russian(w []string) Form {
	if holds(w, "почему|зачем|как") {
		return None
	}
	if holds(w, "запрещено|запрещается|запрещены|запрещен|запрещена|запрещаю|ни в коем случае|нельзя|не допускается|недопустимо") {
		return Duty
	}
	if oneOf(w[0], "никаких никакого никакой никакие") && len(w) <= 7 && !oneOf(w[1], "проблем ошибок изменений идей") {
		return Without
	}
	if oneOf(w[0], "избегай избегайте избегать хватит перестань прекрати") {
		return Order
	}
	k := 0
	if w[0] == "никогда" {
		k = 1
	}
	if at(w, k) != "не" {
		return None
	}
	verb := at(w, k+1)
	if holds(w[k+1:], "не") || oneOf(verb, `переживай переживайте волнуйся волнуйтесь беспокойся беспокойтесь забудь забудьте забывай забывайте забыть стесняйся бойся парься спеши торопись могу может можешь есть был быть понять
		хочешь знаешь видишь очень мой твой свой такой какой другой второй первый новый один`) {
		return None
	}
	if oneOf(verb, "надо нужно стоит следует") {
		if ends(at(w, k+2), "ть ти") {
			return Order
		}
		return None
	}
	if ends(verb, "й йте ть ться йся йтесь ь ьте ши шите жи жите ди дите чи си сите ли́") && !ends(verb, "ый ой ость") {
		return Order
	}
	return None
}
