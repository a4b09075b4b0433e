package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// German is the German table.
func German() gate.Table {
	return gate.Table{
		Lang: "de", Signs: words(`der die das und ist nicht ein eine einen wir ich du für mit auf von zu bitte den dem im zum sich auch wie nur keine`),
		Lists: map[string][]string{
			"de-use":   words(`verwende verwenden benutze benutzen nutze nutzen nimm nehmen nehme übernimm wähle wählen bleib_bei bleiben_bei setz_auf setze_auf wählt behalte behalten behalt übernehmen`),
			"de-make":  words(`mach mache machen setz setze setzen stell stelle stellen ändere ändern wechsle wechseln wechsel benenne benennen nenn nenne macht setzt pass passe anpassen verkleinere vergrößere reduziere erhöhe lass lasse`),
			"de-drop":  words(`entferne entfernen lösch lösche löschen streiche streichen lass_weg wirf verstecke entfern nimm_raus blende`),
			"de-build": words(`füge füg erstelle erstellen erstell baue bau bauen implementiere implementieren schreib schreibe schreiben ergänze ergänzen leg lege hinzufügen hinzu füge_hinzu programmiere entwickle generiere`),
			"de-must":  words(`soll sollen sollte sollten muss müssen müsste`),
		},
		Leads: words(`bitte dann jetzt auch noch und aber also ok okay ja nein gut wir lass_uns lasst_uns kannst_du könntest_du können_wir wir_sollten wir_können
			du_sollst ich_möchte_dass_du ich_will_dass_du wir_müssen du_musst ich_denke_wir_sollten lieber`),
		Joins: words(`und aber oder dann`),
		Rules: []gate.Rule{
			rule("de.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "statt|anstatt|anstelle|an_stelle_von").Shows("Nimm Postgres statt MySQL", "stattdessen"),
			rule("de.use", gate.ActUse, core.DecisionVerb, gate.Hint, "^ {de-use}", "wir verwenden|benutzen|nehmen|nutzen", "{de-must} @any ..3 verwendet|benutzt|genutzt").Shows("Verwende UUIDs", "die Nutzen sind klar"),
			rule("de.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "wir_entscheiden|entschieden|beschlossen|machen_wir|nehmen_wir").Shows("Nehmen wir die zweite", ""),
			rule("de.change", gate.ActChange, core.DecisionVerb, gate.Hint, "^ {de-make}", "ersetze|ersetzen ..6 durch|mit").Shows("Ändere den Titel auf Rot", ""),
			rule("de.move", gate.ActMove, core.DecisionVerb, gate.Hint, "^ verschiebe|verschieb|verschieben|platziere|speichere|speichern").Shows("Verschiebe den Knopf nach unten", ""),
			rule("de.show", gate.ActShow, core.DecisionVerb, gate.Hint, "^ zeige|zeig|zeigen|anzeigen @any").Shows("Zeige die letzten zehn", "der Zeiger"),
			rule("de.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{de-make}|ersetze|ersetzen ..6 auf|zu|in|durch @any", "von @any ..3 auf|zu @any").Shows("Setze das Limit auf 50", ""),
			rule("de.drop", gate.ActDrop, core.Rejection, gate.Hint, "^ {de-drop}").Shows("Entferne den Knopf", ""),
			rule("de.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "brauchen_wir_nicht|brauchen_wir_keine|brauchen_keine|brauchen_keinen|brauchen_kein|nicht_nötig|unnötig").Shows("Wir brauchen keine Suffixe", ""),
			rule("de.never", gate.ActNever, core.Ban, gate.Strong, "nie|niemals|auf_keinen_fall|verboten|darf_nicht|dürfen_nicht|darf_nie|darf_kein|darf_keine").Shows("Das Schema darf nicht geändert werden", ""),
			rule("de.dont", gate.ActDont, core.Ban, gate.Hint, "^ {de-use}|{de-make}|{de-drop}|{de-build}|fass|fasse|committe|pushe|lade ..5 nicht|keine|keinen|kein", "^ keine|kein|keinen @any", "vermeide|vermeiden @any").Shows("Benutze hier kein Bash", ""),
			rule("de.only", gate.ModOnly, core.Imperative, gate.Hint, "nur|ausschließlich|lediglich").Shows("Zeige nur zehn", ""),
			rule("de.always", gate.ActAlways, core.Memory, gate.Strong, "immer|jedes_mal|grundsätzlich|stets").Shows("Schreibe immer Tests", ""),
			rule("de.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "ab_jetzt|von_jetzt_an|in_zukunft|künftig|ab_sofort|zukünftig").Shows("Ab jetzt liegen Tests beim Code", ""),
			rule("de.remember", gate.ActAlways, core.Memory, gate.Strong, "merk_dir|denk_daran|denke_daran|beachte").Shows("Merk dir, dass wir freitags liefern", ""),
			rule("de.should", gate.ActShould, core.Imperative, gate.Hint, "@any {de-must}").Shows("Die Knöpfe sollen rot sein", "Soll ich?"),
			rule("de.default", gate.ModDefault, core.Imperative, gate.Hint, "standardmäßig|als_standard|der_standard|default").Shows("Standardmäßig geschlossen", ""),
			rule("de.want", gate.ActWant, core.Imperative, gate.Hint, "ich|wir will|möchte|wollen|möchten|hätte|brauche|brauchen").Shows("Ich möchte eine Tabelle", ""),
			rule("de.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "lieber|bevorzuge|bevorzugen|besser_wäre").Shows("Lieber eine Datei", ""),
			rule("de.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "stell_sicher|stelle_sicher|achte_darauf").Shows("Stelle sicher, dass es sortiert ist", ""),
			rule("de.build", gate.ActBuild, core.ActionRequest, gate.Hint, "^ {de-build}").Shows("Füge einen Test hinzu", ""),
			rule("de.fix", gate.ActFix, core.ActionRequest, gate.Hint, "^ behebe|beheben|repariere|reparieren|löse|korrigiere|fixe|fix").Shows("Behebe den Fehler", ""),
			rule("de.check", gate.ActCheck, core.ActionRequest, gate.Hint, "^ prüfe|prüf|prüfen|schau|schaue|teste|testen|untersuche|lies|überprüfe|sieh").Shows("Prüfe die Logs", ""),
			rule("de.tell", gate.ActTell, core.ActionRequest, gate.Hint, "^ erkläre|erklär|erklären|zeig_mir|zeige_mir|sag_mir|beschreibe|fasse_zusammen").Shows("Erkläre das", ""),
			rule("de.run", gate.ActRun, core.ActionRequest, gate.Hint, "^ starte|starten|führe|installiere|öffne").Shows("Starte den Server", ""),
			rule("de.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "mach_weiter|weiter|weitermachen|fahre_fort").Shows("Mach weiter", ""),
			rule("de.option", gate.ActOption, core.DecisionVerb, gate.Strong, "option|variante|lösung|vorschlag|punkt @num|a|b|c|d").Shows("nimm Variante 2", ""),
			rule("de.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ ja|jawohl|genau|einverstanden|klingt_gut|passt|mach_das|mach_es|gerne|umsetzen|in_ordnung|leg_los|so_machen").Shows("Ja, mach das", ""),
			rule("de.revert", gate.ActRevert, core.Rejection, gate.Strong, "^ zurück", "zurück_zu|zurück_zur|rückgängig|doch_lieber|doch_wieder|vergiss_das").Shows("Zurück zur alten Version", ""),
			rule("de.aux", gate.AskWh, "", gate.Cue, "^ warum|wieso|weshalb|wie|was|wo|wer|welche|welcher|welches|wann", "^ ist|sind|hat|haben|kann|soll|sollen|wird|gibt ich|es|wir|das|der|die|man").Shows("Warum ist das langsam?", ""),
			rule("de.symptom", gate.CtxSymptom, "", gate.Cue, "fehler|fehlermeldung|kaputt|geht_nicht|funktioniert_nicht|abgestürzt|falsch|problem"),
			rule("de.praise", gate.CtxPraise, "", gate.Cue, "danke|super|toll|klasse|funktioniert|sieht_gut"),
		},
	}
}

// French is the French table.
func French() gate.Table {
	return gate.Table{
		Lang: "fr", Signs: words(`le la les des et est en un une pour avec dans que je tu nous vous ne pas du sur au il ce`),
		Lists: map[string][]string{
			"fr-use":   words(`utilise utilisons utilisez utiliser prends prenons choisis choisissons adopte adoptons garde gardons prenez choisir garder gardez conserve conserver`),
			"fr-make":  words(`change changeons changez renomme renommons mets mettons remplace remplaçons passe passons fais règle changer modifie modifier modifiez mettre faire faites renommer remplacer remplacez ajuste ajuster agrandis réduis réduire augmente augmenter diminue limite limiter sépare regroupe laisse`),
			"fr-drop":  words(`supprime supprimons supprimez enlève enlevons retire retirons cache abandonne abandonnons supprimer enlever enlevez retirer retirez masque masquer cacher vire`),
			"fr-build": words(`ajoute ajoutons ajoutez crée créons créez implémente écris écrivons génère construis ajouter créer implémenter implémentez écrire écrivez générer développe développer`),
			"fr-must":  words(`doit doivent devrait devraient`),
		},
		Leads: words(`s'il_te_plaît stp svp alors donc et mais aussi maintenant ensuite oui non ok d'accord peux-tu peux_tu pourrais-tu pouvez-vous on_peut il_faut
			on_devrait nous_devrions je_veux_que_tu tu_dois on_va nous_allons`),
		Joins: words(`et mais ou puis`),
		Rules: []gate.Rule{
			rule("fr.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "au_lieu_de|au_lieu_d|plutôt_que|à_la_place_de|plutôt_qu").Shows("Utilise Postgres au lieu de MySQL", ""),
			rule("fr.use", gate.ActUse, core.DecisionVerb, gate.Hint, "^ {fr-use}", "il_faut|on_va|nous_allons utiliser|prendre|garder").Shows("Utilise des UUID", ""),
			rule("fr.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "partons_sur|on_part_sur|on_prend|on_garde", "est|a|ai|avons|j'ai|c'est ..1 décidé", "décidé que|de|d'utiliser").Shows("On part sur la deuxième option", ""),
			rule("fr.change", gate.ActChange, core.DecisionVerb, gate.Hint, "^ {fr-make}").Shows("Change le titre en rouge", ""),
			rule("fr.move", gate.ActMove, core.DecisionVerb, gate.Hint, "^ déplace|déplacez|déplacer|place|placer|stocke|stocker|enregistre|enregistrer").Shows("Déplace le bouton en bas", ""),
			rule("fr.show", gate.ActShow, core.DecisionVerb, gate.Hint, "^ affiche|affichez|afficher|montre|montrer").Shows("Affiche les dix derniers", ""),
			rule("fr.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{fr-make} ..6 par|en|à|vers|pour @any").Shows("Remplace la boîte par un cercle", ""),
			rule("fr.drop", gate.ActDrop, core.Rejection, gate.Hint, "^ {fr-drop}").Shows("Supprime le bouton", ""),
			rule("fr.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "pas_besoin|n'avons_pas_besoin|inutile").Shows("Pas besoin de cache", ""),
			rule("fr.never", gate.ActNever, core.Ban, gate.Strong, "ne ..3 jamais", "^ jamais", "interdit|en_aucun_cas|ne_doit_pas|ne_doivent_pas|ne_dois_pas|ne_devez_pas|ne_devons_pas").Shows("Ne touche jamais aux migrations", ""),
			rule("fr.dont", gate.ActDont, core.Ban, gate.Hint, "^ ne ..2 pas|plus", "^ n'ajoute|n'ajoutez|n'utilise|n'utilisez|n'emploie|n'écris|n'affiche @any", "^ pas_de|évite|évitons @any").Shows("N'ajoute pas de dépendance", ""),
			rule("fr.only", gate.ModOnly, core.Imperative, gate.Hint, "seulement|uniquement|que_les").Shows("Affiche seulement dix lignes", ""),
			rule("fr.always", gate.ActAlways, core.Memory, gate.Strong, "toujours|à_chaque_fois|systématiquement|chaque_fois").Shows("Écris toujours un test", ""),
			rule("fr.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "désormais|à_partir_de_maintenant|dorénavant|à_l'avenir").Shows("Désormais, réponds en français", ""),
			rule("fr.remember", gate.ActAlways, core.Memory, gate.Strong, "souviens-toi|rappelle-toi|n'oublie_pas|retiens").Shows("Rappelle-toi que le client est hors ligne", ""),
			rule("fr.should", gate.ActShould, core.Imperative, gate.Hint, "@any {fr-must}", "il_faut|il_faudrait|faudrait|faut_que").Shows("Le bouton doit être rouge", ""),
			rule("fr.default", gate.ModDefault, core.Imperative, gate.Hint, "par_défaut").Shows("Fermé par défaut", ""),
			rule("fr.want", gate.ActWant, core.Imperative, gate.Hint, "je_veux|je_voudrais|j'aimerais|on_veut|nous_voulons|il_nous_faut|j'ai_besoin").Shows("Je voudrais un tableau", ""),
			rule("fr.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "je_préfère|on_préfère|plutôt @any").Shows("Je préfère un seul fichier", ""),
			rule("fr.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "assure-toi|assurez-vous|veille_à").Shows("Assure-toi que l'ordre est gardé", ""),
			rule("fr.build", gate.ActBuild, core.ActionRequest, gate.Hint, "^ {fr-build}").Shows("Ajoute un test", ""),
			rule("fr.fix", gate.ActFix, core.ActionRequest, gate.Hint, "^ corrige|corrigeons|corrigez|corriger|répare|réparer|résous|résoudre|règle").Shows("Corrige le bug", ""),
			rule("fr.check", gate.ActCheck, core.ActionRequest, gate.Hint, "^ vérifie|vérifier|vérifiez|regarde|regardez|regarder|tester|analyser|teste|lis|examine|analyse|cherche").Shows("Vérifie les logs", ""),
			rule("fr.tell", gate.ActTell, core.ActionRequest, gate.Hint, "^ explique|expliquez|expliquer|montre-moi|donne-moi|dis-moi|résume|décris").Shows("Explique le code", ""),
			rule("fr.run", gate.ActRun, core.ActionRequest, gate.Hint, "^ lance|exécute|installe|démarre|ouvre").Shows("Lance les tests", ""),
			rule("fr.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "^ continue|continuez|poursuis|suivant").Shows("Continue", ""),
			rule("fr.option", gate.ActOption, core.DecisionVerb, gate.Strong, "option|proposition|solution|choix|variante @num|a|b|c|d").Shows("on part sur la solution 2", ""),
			rule("fr.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ oui|d'accord|parfait|vas-y|exactement|ça_marche|fais-le|fais_le|je_valide|ça_me_va|allons-y|c'est_ok|c'est_bon").Shows("Oui, vas-y", ""),
			rule("fr.revert", gate.ActRevert, core.Rejection, gate.Strong, "reviens|revenons|annule|finalement|rétablis|retour_à").Shows("Revenons à la version précédente", ""),
			rule("fr.aux", gate.AskWh, "", gate.Cue, "^ pourquoi|comment|quel|quelle|quels|où|qui|quand|combien|est-ce_que|qu'est-ce").Shows("Pourquoi est-ce si lent ?", ""),
			rule("fr.symptom", gate.CtxSymptom, "", gate.Cue, "erreur|erreurs|échec|cassé|ne_marche_pas|ne_fonctionne_pas|problème|plante|bug"),
			rule("fr.praise", gate.CtxPraise, "", gate.Cue, "merci|super|génial|ça_marche|bravo"),
		},
	}
}

// Spanish is the Spanish table.
func Spanish() gate.Table {
	return gate.Table{
		Lang: "es", Signs: words(`el la los las del y es un una para con en que por al se lo hay`),
		Lists: map[string][]string{
			"es-use":   words(`usa use usemos usar utiliza utilicemos utilizar elige elijamos adopta quédate_con quedémonos_con utilice usamos elegir mantén mantener usen`),
			"es-make":  words(`cambia cambie cambiemos cambiar renombra renombrar pon pongamos poner reemplaza reemplazar sustituye haz ajusta mueve modifica modificar modifique haga hacer hagamos ponga coloca colocar ajustar mover reduce reducir aumenta aumentar deja`),
			"es-drop":  words(`elimina eliminar elimine borra borrar quita quitar quitemos oculta quite eliminemos ocultar esconde`),
			"es-build": words(`añade añadir agrega agregar crea crear implementa implementar escribe escribir genera construye agregue agreguemos creemos cree generar genere desarrolla`),
			"es-must":  words(`debe deben debería deberían tiene_que tienen_que`),
		},
		Leads: words(`por_favor entonces y pero también ahora luego sí no ok vale bueno puedes podrías podemos deberíamos debemos quiero_que hay_que tienes_que
			vamos_a necesito_que me_gustaría_que`),
		Joins: words(`y pero o luego`),
		Rules: []gate.Rule{
			rule("es.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "en_lugar_de|en_vez_de|antes_que").Shows("Usa Postgres en lugar de MySQL", ""),
			rule("es.use", gate.ActUse, core.DecisionVerb, gate.Hint, "^ {es-use}").Shows("Usemos UUIDs", "el usuario"),
			rule("es.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "vamos_con|nos_quedamos_con|decidimos|hemos_decidido|me_quedo_con").Shows("Vamos con la segunda opción", ""),
			rule("es.change", gate.ActChange, core.DecisionVerb, gate.Hint, "^ {es-make}").Shows("Cambia el título a rojo", ""),
			rule("es.move", gate.ActMove, core.DecisionVerb, gate.Hint, "^ muévelo|guarda|guardar|guarde|ubica").Shows("Guarda las fechas en UTC", ""),
			rule("es.show", gate.ActShow, core.DecisionVerb, gate.Hint, "^ muestra|mostrar|muestre").Shows("Muestra los últimos diez", ""),
			rule("es.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{es-make} ..6 a|por|en|como @any").Shows("Reemplaza la caja por un círculo", ""),
			rule("es.drop", gate.ActDrop, core.Rejection, gate.Hint, "^ {es-drop}").Shows("Elimina el botón", ""),
			rule("es.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "no_necesitamos|no_hace_falta|no_es_necesario|no_necesito").Shows("No hace falta caché", ""),
			rule("es.never", gate.ActNever, core.Ban, gate.Strong, "nunca|jamás|prohibido|bajo_ningún_concepto|no_debe|no_deben|no_debes").Shows("Nunca toques las migraciones", ""),
			rule("es.dont", gate.ActDont, core.Ban, gate.Hint, "^ no uses|use|usar|añadas|agregues|toques|cambies|pongas|hagas|modifiques|borres|elimines|subas", "^ no crees archivos|tablas|un|una|el|la|los|las|nuevos|nuevas", "no quiero que", "^ evita|nada_de|sin @any").Shows("No añadas dependencias nuevas", "no sé"),
			rule("es.only", gate.ModOnly, core.Imperative, gate.Hint, "solo|sólo|solamente|únicamente").Shows("Muestra solo diez", ""),
			rule("es.always", gate.ActAlways, core.Memory, gate.Strong, "siempre|cada_vez|en_todo_momento").Shows("Escribe siempre pruebas", ""),
			rule("es.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "a_partir_de_ahora|de_ahora_en_adelante|en_adelante|en_el_futuro").Shows("A partir de ahora responde en español", ""),
			rule("es.remember", gate.ActAlways, core.Memory, gate.Strong, "recuerda|ten_en_cuenta|acuérdate").Shows("Recuerda que funciona sin red", ""),
			rule("es.should", gate.ActShould, core.Imperative, gate.Hint, "@any {es-must}").Shows("El botón debe ser rojo", ""),
			rule("es.default", gate.ModDefault, core.Imperative, gate.Hint, "por_defecto|predeterminado").Shows("Cerrado por defecto", ""),
			rule("es.want", gate.ActWant, core.Imperative, gate.Hint, "quiero|queremos|me_gustaría|necesito|necesitamos").Shows("Quiero una tabla", ""),
			rule("es.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "prefiero|preferimos|mejor_usar|mejor_un|mejor_una").Shows("Prefiero un solo archivo", ""),
			rule("es.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "asegúrate|asegurate|asegúrese").Shows("Asegúrate de que el orden se mantiene", ""),
			rule("es.build", gate.ActBuild, core.ActionRequest, gate.Hint, "^ {es-build}").Shows("Añade una prueba", ""),
			rule("es.fix", gate.ActFix, core.ActionRequest, gate.Hint, "^ arregla|arreglar|arréglalo|repara|solucionar|resolver|corrige|corregir|soluciona|resuelve").Shows("Arregla el error", ""),
			rule("es.check", gate.ActCheck, core.ActionRequest, gate.Hint, "^ revisa|revisar|verificar|analizar|busca|buscar|lee|comprueba|verifica|mira|prueba|analiza|investiga|lee").Shows("Revisa los logs", ""),
			rule("es.tell", gate.ActTell, core.ActionRequest, gate.Hint, "^ explica|explícame|explicar|dame|muéstrame|muéstrame|dime|resume|describe").Shows("Explícame el código", ""),
			rule("es.run", gate.ActRun, core.ActionRequest, gate.Hint, "^ ejecuta|instala|inicia|arranca|abre|despliega").Shows("Ejecuta las pruebas", ""),
			rule("es.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "^ continúa|continua|sigue|siguiente|adelante").Shows("Continúa", ""),
			rule("es.option", gate.ActOption, core.DecisionVerb, gate.Strong, "opción|opcion|propuesta|alternativa @num|a|b|c|d").Shows("la opción 2", ""),
			rule("es.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ sí|si|claro|de_acuerdo|perfecto|hazlo|adelante|vale|dale|procede|está_bien|me_parece_bien").Shows("Sí, hazlo", ""),
			rule("es.revert", gate.ActRevert, core.Rejection, gate.Strong, "vuelve_a|volvamos_a|revierte|deshaz|mejor_no|olvida_eso").Shows("Volvamos a la versión anterior", ""),
			rule("es.aux", gate.AskWh, "", gate.Cue, "^ por_qué|cómo|qué|cuál|cuáles|dónde|quién|cuándo|cuánto").Shows("¿Por qué es tan lento?", ""),
			rule("es.symptom", gate.CtxSymptom, "", gate.Cue, "error|errores|falla|fallo|no_funciona|roto|problema"),
			rule("es.praise", gate.CtxPraise, "", gate.Cue, "gracias|genial|funciona|excelente|muy_bien"),
		},
	}
}

// Portuguese is the Portuguese table.
func Portuguese() gate.Table {
	return gate.Table{
		Lang: "pt", Signs: words(`o os as do da e é um uma para com em que por não na ao você`),
		Lists: map[string][]string{
			"pt-use":   words(`usa use usemos usar utilize utiliza utilizar escolhe escolha adote fique_com fica_com mantenha mantém manter escolher utilizamos`),
			"pt-make":  words(`muda mude mudar altera altere alterar renomeia renomeie troca troque trocar substitui substitua coloca coloque põe ponha ajusta ajuste colocar ajustar fazer faz faça deixa deixe deixar reduz reduza aumenta aumente mudemos modifique modifica`),
			"pt-drop":  words(`remove remova remover apaga apague exclui exclua tira tire esconda apagar excluir tirar esconder oculte`),
			"pt-build": words(`adiciona adicione adicionar cria crie criar implementa implemente implementar escreve escreva gera gere escrever gerar desenvolva desenvolve`),
			"pt-must":  words(`deve devem deveria deveriam tem_que têm_que precisa_ser precisam_ser`),
		},
		Leads: words(`por_favor então e mas também agora depois sim não ok certo pode você_pode podes poderia podemos vamos devemos deveríamos quero_que
			preciso_que temos_que tem_que gostaria_que`),
		Joins: words(`e mas ou depois`),
		Rules: []gate.Rule{
			rule("pt.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "em_vez_de|ao_invés_de|no_lugar_de|em_vez_do|em_vez_da").Shows("Use Postgres em vez de MySQL", ""),
			rule("pt.use", gate.ActUse, core.DecisionVerb, gate.Hint, "^ {pt-use}").Shows("Vamos usar UUIDs", "o usuário"),
			rule("pt.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "vamos_com|ficamos_com|decidimos|vamos_de").Shows("Vamos com a segunda opção", ""),
			rule("pt.change", gate.ActChange, core.DecisionVerb, gate.Hint, "^ {pt-make}").Shows("Mude o título para vermelho", ""),
			rule("pt.move", gate.ActMove, core.DecisionVerb, gate.Hint, "^ mova|move|mover|guarda|guarde|salve|salva").Shows("Mova o botão para baixo", ""),
			rule("pt.show", gate.ActShow, core.DecisionVerb, gate.Hint, "^ mostra|mostre|mostrar|exibe|exiba|exibir").Shows("Mostre os últimos dez", ""),
			rule("pt.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{pt-make} ..6 para|por|em @any").Shows("Troque a caixa por um círculo", ""),
			rule("pt.drop", gate.ActDrop, core.Rejection, gate.Hint, "^ {pt-drop}").Shows("Remova o botão", ""),
			rule("pt.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "não_precisamos|não_precisa|não_é_necessário|desnecessário").Shows("Não precisamos de cache", ""),
			rule("pt.never", gate.ActNever, core.Ban, gate.Strong, "nunca|jamais|proibido|de_jeito_nenhum|não_deve|não_devem").Shows("Nunca toque nas migrações", ""),
			rule("pt.dont", gate.ActDont, core.Ban, gate.Hint, "^ não use|usa|adicione|mexa|mude|altere|coloque|faça|crie|remova|apague|toque", "^ evite|evita|nada_de|sem @any").Shows("Não adicione dependências novas", "não sei"),
			rule("pt.only", gate.ModOnly, core.Imperative, gate.Hint, "só|apenas|somente|unicamente").Shows("Mostre apenas dez", ""),
			rule("pt.always", gate.ActAlways, core.Memory, gate.Strong, "sempre|toda_vez|em_todos_os_casos").Shows("Escreva sempre testes", ""),
			rule("pt.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "a_partir_de_agora|daqui_em_diante|de_agora_em_diante|no_futuro").Shows("A partir de agora responda em português", ""),
			rule("pt.remember", gate.ActAlways, core.Memory, gate.Strong, "lembre-se|lembra|leve_em_conta|tenha_em_mente").Shows("Lembre-se de que funciona offline", ""),
			rule("pt.should", gate.ActShould, core.Imperative, gate.Hint, "@any {pt-must}").Shows("O botão deve ser vermelho", ""),
			rule("pt.default", gate.ModDefault, core.Imperative, gate.Hint, "por_padrão|por_omissão|padrão_é").Shows("Fechado por padrão", ""),
			rule("pt.want", gate.ActWant, core.Imperative, gate.Hint, "quero|queremos|gostaria|preciso_de|precisamos_de").Shows("Quero uma tabela", ""),
			rule("pt.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "prefiro|preferimos|melhor_usar").Shows("Prefiro um arquivo só", ""),
			rule("pt.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "certifique-se|garanta|garante").Shows("Garanta que a ordem seja mantida", ""),
			rule("pt.build", gate.ActBuild, core.ActionRequest, gate.Hint, "^ {pt-build}").Shows("Adicione um teste", ""),
			rule("pt.fix", gate.ActFix, core.ActionRequest, gate.Hint, "^ corrige|corrija|corrigir|resolver|arrumar|conserta|conserte|resolve|resolva|arruma|arrume").Shows("Corrija o erro", ""),
			rule("pt.check", gate.ActCheck, core.ActionRequest, gate.Hint, "^ verifica|verifique|verificar|analisar|procure|veja|vê|confere|olha|olhe|testa|teste|analisa|analise|revisa|revise|leia").Shows("Verifique os logs", ""),
			rule("pt.tell", gate.ActTell, core.ActionRequest, gate.Hint, "^ explica|explique|explicar|mostre-me|me_diga|me_explique|mostra|mostre-me|diga|resume|resuma|descreva").Shows("Explique o código", ""),
			rule("pt.run", gate.ActRun, core.ActionRequest, gate.Hint, "^ executa|execute|roda|rode|instala|instale|inicia|inicie|abra").Shows("Rode os testes", ""),
			rule("pt.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "^ continua|continue|próximo|prossiga|segue").Shows("Prossiga", ""),
			rule("pt.option", gate.ActOption, core.DecisionVerb, gate.Strong, "opção|opcao|alternativa|proposta @num|a|b|c|d").Shows("a opção 2", ""),
			rule("pt.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ sim|claro|perfeito|de_acordo|pode_ser|pode_fazer|isso_mesmo|faz_isso|faça|prossiga|manda_ver|está_bom").Shows("Sim, pode fazer", ""),
			rule("pt.revert", gate.ActRevert, core.Rejection, gate.Strong, "volta_para|volte_para|voltar_para|desfaz|desfaça|reverte|reverta|esquece_isso").Shows("Volte para a versão anterior", ""),
			rule("pt.aux", gate.AskWh, "", gate.Cue, "^ por_que|como|qual|quais|onde|quem|quando|quanto|o_que").Shows("Por que está lento?", ""),
			rule("pt.symptom", gate.CtxSymptom, "", gate.Cue, "erro|erros|falha|falhou|não_funciona|quebrado|problema"),
			rule("pt.praise", gate.CtxPraise, "", gate.Cue, "obrigado|ótimo|funciona|funcionou|excelente|perfeito"),
		},
	}
}
