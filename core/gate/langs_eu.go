package gate

import "github.com/memscribe/memscribe/core"

// German is the German table.
func German() Table {
	return Table{
		Lang: "de", Signs: words(`der die das und ist nicht ein eine einen wir ich du für mit auf von zu bitte den dem im zum sich auch wie nur keine`),
		Lists: map[string][]string{
			"de-use":   words(`verwende verwenden benutze benutzen nutze nutzen nimm nehmen nehme übernimm wähle wählen bleib_bei bleiben_bei setz_auf setze_auf`),
			"de-make":  words(`mach mache machen setz setze setzen stell stelle stellen ändere ändern wechsle wechseln wechsel benenne benennen nenn nenne`),
			"de-drop":  words(`entferne entfernen lösch lösche löschen streiche streichen lass_weg wirf verstecke`),
			"de-build": words(`füge füg erstelle erstellen erstell baue bau bauen implementiere implementieren schreib schreibe schreiben ergänze ergänzen leg lege hinzufügen`),
			"de-must":  words(`soll sollen sollte sollten muss müssen müsste`),
		},
		Leads: words(`bitte dann jetzt auch noch und aber also ok okay ja nein gut wir lass_uns lasst_uns kannst_du könntest_du können_wir wir_sollten wir_können
			du_sollst ich_möchte_dass_du ich_will_dass_du wir_müssen du_musst ich_denke_wir_sollten lieber`),
		Joins: words(`und aber oder dann`),
		Rules: []Rule{
			rule("de.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "statt|anstatt|anstelle|an_stelle_von").shows("Nimm Postgres statt MySQL", "stattdessen"),
			rule("de.use", ActUse, core.DecisionVerb, Hint, "^ {de-use}", "wir verwenden|benutzen|nehmen|nutzen", "{de-must} @any ..3 verwendet|benutzt|genutzt").shows("Verwende UUIDs", "die Nutzen sind klar"),
			rule("de.decide", ActDecided, core.DecisionVerb, Strong, "wir_entscheiden|entschieden|beschlossen|machen_wir|nehmen_wir").shows("Nehmen wir die zweite", ""),
			rule("de.change", ActChange, core.DecisionVerb, Hint, "^ {de-make}", "ersetze|ersetzen ..6 durch|mit").shows("Ändere den Titel auf Rot", ""),
			rule("de.from-to", ModFromTo, core.DecisionVerb, Hint, "{de-make}|ersetze|ersetzen ..6 auf|zu|in|durch @any", "von @any ..3 auf|zu @any").shows("Setze das Limit auf 50", ""),
			rule("de.drop", ActDrop, core.Rejection, Hint, "^ {de-drop}").shows("Entferne den Knopf", ""),
			rule("de.dont-need", ActDontNeed, core.Rejection, Hint, "brauchen_wir_nicht|brauchen_wir_keine|brauchen_keine|brauchen_keinen|brauchen_kein|nicht_nötig|unnötig").shows("Wir brauchen keine Suffixe", ""),
			rule("de.never", ActNever, core.Ban, Strong, "nie|niemals|auf_keinen_fall|verboten|darf_nicht|dürfen_nicht|darf_nie|darf_kein|darf_keine").shows("Das Schema darf nicht geändert werden", ""),
			rule("de.dont", ActDont, core.Ban, Hint, "^ {de-use}|{de-make}|{de-drop}|{de-build}|fass|fasse|committe|pushe|lade ..5 nicht|keine|keinen|kein", "^ keine|kein|keinen @any", "vermeide|vermeiden @any").shows("Benutze hier kein Bash", ""),
			rule("de.only", ModOnly, core.Imperative, Hint, "nur|ausschließlich|lediglich").shows("Zeige nur zehn", ""),
			rule("de.always", ActAlways, core.Memory, Strong, "immer|jedes_mal|grundsätzlich|stets").shows("Schreibe immer Tests", ""),
			rule("de.from-now-on", ActAlways, core.Memory, Strong, "ab_jetzt|von_jetzt_an|in_zukunft|künftig|ab_sofort|zukünftig").shows("Ab jetzt liegen Tests beim Code", ""),
			rule("de.remember", ActAlways, core.Memory, Strong, "merk_dir|denk_daran|denke_daran|beachte").shows("Merk dir, dass wir freitags liefern", ""),
			rule("de.should", ActShould, core.Imperative, Hint, "@any {de-must}").shows("Die Knöpfe sollen rot sein", "Soll ich?"),
			rule("de.default", ModDefault, core.Imperative, Hint, "standardmäßig|als_standard|der_standard|default").shows("Standardmäßig geschlossen", ""),
			rule("de.want", ActWant, core.Imperative, Hint, "ich|wir will|möchte|wollen|möchten|hätte|brauche|brauchen").shows("Ich möchte eine Tabelle", ""),
			rule("de.prefer", ActPrefer, core.DecisionVerb, Strong, "lieber|bevorzuge|bevorzugen|besser_wäre").shows("Lieber eine Datei", ""),
			rule("de.ensure", ActEnsure, core.Imperative, Hint, "stell_sicher|stelle_sicher|achte_darauf").shows("Stelle sicher, dass es sortiert ist", ""),
			rule("de.build", ActBuild, core.ActionRequest, Hint, "^ {de-build}").shows("Füge einen Test hinzu", ""),
			rule("de.fix", ActFix, core.ActionRequest, Hint, "^ behebe|beheben|repariere|reparieren|löse|korrigiere|fixe|fix").shows("Behebe den Fehler", ""),
			rule("de.check", ActCheck, core.ActionRequest, Hint, "^ prüfe|prüf|prüfen|schau|schaue|teste|testen|untersuche|lies|überprüfe|sieh").shows("Prüfe die Logs", ""),
			rule("de.tell", ActTell, core.ActionRequest, Hint, "^ erkläre|erklär|erklären|zeig_mir|zeige_mir|sag_mir|beschreibe|fasse_zusammen").shows("Erkläre das", ""),
			rule("de.run", ActRun, core.ActionRequest, Hint, "^ starte|starten|führe|installiere|öffne").shows("Starte den Server", ""),
			rule("de.go-on", ActGoOn, core.ActionRequest, Hint, "mach_weiter|weiter|weitermachen|fahre_fort").shows("Mach weiter", ""),
			rule("de.yes", ActYes, core.Confirmation, Hint, "^ ja|jawohl|genau|einverstanden|klingt_gut|passt|mach_das|mach_es|gerne|umsetzen|in_ordnung|leg_los|so_machen").shows("Ja, mach das", ""),
			rule("de.revert", ActRevert, core.Rejection, Strong, "^ zurück", "zurück_zu|zurück_zur|rückgängig|doch_lieber|doch_wieder|vergiss_das").shows("Zurück zur alten Version", ""),
			rule("de.aux", AskWh, "", Cue, "^ warum|wieso|weshalb|wie|was|wo|wer|welche|welcher|welches|wann", "^ ist|sind|hat|haben|kann|soll|sollen|wird|gibt ich|es|wir|das|der|die|man").shows("Warum ist das langsam?", ""),
			rule("de.symptom", CtxSymptom, "", Cue, "fehler|fehlermeldung|kaputt|geht_nicht|funktioniert_nicht|abgestürzt|falsch|problem"),
			rule("de.praise", CtxPraise, "", Cue, "danke|super|toll|klasse|funktioniert|sieht_gut"),
		},
	}
}

// French is the French table.
func French() Table {
	return Table{
		Lang: "fr", Signs: words(`le la les des et est en un une pour avec dans que je tu nous vous ne pas du sur au il ce`),
		Lists: map[string][]string{
			"fr-use":   words(`utilise utilisons utilisez utiliser prends prenons choisis choisissons adopte adoptons garde gardons`),
			"fr-make":  words(`change changeons changez renomme renommons mets mettons remplace remplaçons passe passons fais règle`),
			"fr-drop":  words(`supprime supprimons supprimez enlève enlevons retire retirons cache abandonne abandonnons`),
			"fr-build": words(`ajoute ajoutons ajoutez crée créons créez implémente écris écrivons génère construis`),
			"fr-must":  words(`doit doivent devrait devraient`),
		},
		Leads: words(`s'il_te_plaît stp svp alors donc et mais aussi maintenant ensuite oui non ok d'accord peux-tu peux_tu pourrais-tu pouvez-vous on_peut il_faut
			on_devrait nous_devrions je_veux_que_tu tu_dois on_va nous_allons`),
		Joins: words(`et mais ou puis`),
		Rules: []Rule{
			rule("fr.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "au_lieu_de|au_lieu_d|plutôt_que|à_la_place_de|plutôt_qu").shows("Utilise Postgres au lieu de MySQL", ""),
			rule("fr.use", ActUse, core.DecisionVerb, Hint, "^ {fr-use}", "il_faut|on_va|nous_allons utiliser|prendre|garder").shows("Utilise des UUID", ""),
			rule("fr.decide", ActDecided, core.DecisionVerb, Strong, "partons_sur|on_part_sur|on_prend|on_garde", "est|a|ai|avons|j'ai|c'est ..1 décidé", "décidé que|de|d'utiliser").shows("On part sur la deuxième option", ""),
			rule("fr.change", ActChange, core.DecisionVerb, Hint, "^ {fr-make}").shows("Change le titre en rouge", ""),
			rule("fr.from-to", ModFromTo, core.DecisionVerb, Hint, "{fr-make} ..6 par|en|à|vers|pour @any").shows("Remplace la boîte par un cercle", ""),
			rule("fr.drop", ActDrop, core.Rejection, Hint, "^ {fr-drop}").shows("Supprime le bouton", ""),
			rule("fr.dont-need", ActDontNeed, core.Rejection, Hint, "pas_besoin|n'avons_pas_besoin|inutile").shows("Pas besoin de cache", ""),
			rule("fr.never", ActNever, core.Ban, Strong, "ne ..3 jamais", "^ jamais", "interdit|en_aucun_cas|ne_doit_pas|ne_doivent_pas|ne_dois_pas|ne_devez_pas|ne_devons_pas").shows("Ne touche jamais aux migrations", ""),
			rule("fr.dont", ActDont, core.Ban, Hint, "^ ne ..2 pas|plus", "^ n'ajoute|n'ajoutez|n'utilise|n'utilisez|n'emploie|n'écris|n'affiche @any", "^ pas_de|évite|évitons @any").shows("N'ajoute pas de dépendance", ""),
			rule("fr.only", ModOnly, core.Imperative, Hint, "seulement|uniquement|que_les").shows("Affiche seulement dix lignes", ""),
			rule("fr.always", ActAlways, core.Memory, Strong, "toujours|à_chaque_fois|systématiquement|chaque_fois").shows("Écris toujours un test", ""),
			rule("fr.from-now-on", ActAlways, core.Memory, Strong, "désormais|à_partir_de_maintenant|dorénavant|à_l'avenir").shows("Désormais, réponds en français", ""),
			rule("fr.remember", ActAlways, core.Memory, Strong, "souviens-toi|rappelle-toi|n'oublie_pas|retiens").shows("Rappelle-toi que le client est hors ligne", ""),
			rule("fr.should", ActShould, core.Imperative, Hint, "@any {fr-must}", "il_faut_que").shows("Le bouton doit être rouge", ""),
			rule("fr.default", ModDefault, core.Imperative, Hint, "par_défaut").shows("Fermé par défaut", ""),
			rule("fr.want", ActWant, core.Imperative, Hint, "je_veux|je_voudrais|j'aimerais|on_veut|nous_voulons|il_nous_faut|j'ai_besoin").shows("Je voudrais un tableau", ""),
			rule("fr.prefer", ActPrefer, core.DecisionVerb, Strong, "je_préfère|on_préfère|plutôt @any").shows("Je préfère un seul fichier", ""),
			rule("fr.ensure", ActEnsure, core.Imperative, Hint, "assure-toi|assurez-vous|veille_à").shows("Assure-toi que l'ordre est gardé", ""),
			rule("fr.build", ActBuild, core.ActionRequest, Hint, "^ {fr-build}").shows("Ajoute un test", ""),
			rule("fr.fix", ActFix, core.ActionRequest, Hint, "^ corrige|corrigeons|répare|résous|règle").shows("Corrige le bug", ""),
			rule("fr.check", ActCheck, core.ActionRequest, Hint, "^ vérifie|regarde|teste|lis|examine|analyse|cherche").shows("Vérifie les logs", ""),
			rule("fr.tell", ActTell, core.ActionRequest, Hint, "^ explique|montre-moi|dis-moi|résume|décris").shows("Explique le code", ""),
			rule("fr.run", ActRun, core.ActionRequest, Hint, "^ lance|exécute|installe|démarre|ouvre").shows("Lance les tests", ""),
			rule("fr.go-on", ActGoOn, core.ActionRequest, Hint, "^ continue|continuez|poursuis|suivant").shows("Continue", ""),
			rule("fr.yes", ActYes, core.Confirmation, Hint, "^ oui|d'accord|parfait|vas-y|exactement|ça_marche|fais-le|fais_le|je_valide|ça_me_va|allons-y|c'est_ok|c'est_bon").shows("Oui, vas-y", ""),
			rule("fr.revert", ActRevert, core.Rejection, Strong, "reviens|revenons|annule|finalement|rétablis|retour_à").shows("Revenons à la version précédente", ""),
			rule("fr.aux", AskWh, "", Cue, "^ pourquoi|comment|quel|quelle|quels|où|qui|quand|combien|est-ce_que|qu'est-ce").shows("Pourquoi est-ce si lent ?", ""),
			rule("fr.symptom", CtxSymptom, "", Cue, "erreur|erreurs|échec|cassé|ne_marche_pas|ne_fonctionne_pas|problème|plante|bug"),
			rule("fr.praise", CtxPraise, "", Cue, "merci|super|génial|ça_marche|bravo"),
		},
	}
}

// Spanish is the Spanish table.
func Spanish() Table {
	return Table{
		Lang: "es", Signs: words(`el la los las del y es un una para con en que por al se lo hay`),
		Lists: map[string][]string{
			"es-use":   words(`usa use usemos usar utiliza utilicemos utilizar elige elijamos adopta quédate_con quedémonos_con`),
			"es-make":  words(`cambia cambie cambiemos cambiar renombra renombrar pon pongamos poner reemplaza reemplazar sustituye haz ajusta mueve`),
			"es-drop":  words(`elimina eliminar elimine borra borrar quita quitar quitemos oculta`),
			"es-build": words(`añade añadir agrega agregar crea crear implementa implementar escribe escribir genera construye`),
			"es-must":  words(`debe deben debería deberían tiene_que tienen_que`),
		},
		Leads: words(`por_favor entonces y pero también ahora luego sí no ok vale bueno puedes podrías podemos deberíamos debemos quiero_que hay_que tienes_que
			vamos_a necesito_que me_gustaría_que`),
		Joins: words(`y pero o luego`),
		Rules: []Rule{
			rule("es.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "en_lugar_de|en_vez_de|antes_que").shows("Usa Postgres en lugar de MySQL", ""),
			rule("es.use", ActUse, core.DecisionVerb, Hint, "^ {es-use}").shows("Usemos UUIDs", "el usuario"),
			rule("es.decide", ActDecided, core.DecisionVerb, Strong, "vamos_con|nos_quedamos_con|decidimos|hemos_decidido|me_quedo_con").shows("Vamos con la segunda opción", ""),
			rule("es.change", ActChange, core.DecisionVerb, Hint, "^ {es-make}").shows("Cambia el título a rojo", ""),
			rule("es.from-to", ModFromTo, core.DecisionVerb, Hint, "{es-make} ..6 a|por|en|como @any").shows("Reemplaza la caja por un círculo", ""),
			rule("es.drop", ActDrop, core.Rejection, Hint, "^ {es-drop}").shows("Elimina el botón", ""),
			rule("es.dont-need", ActDontNeed, core.Rejection, Hint, "no_necesitamos|no_hace_falta|no_es_necesario|no_necesito").shows("No hace falta caché", ""),
			rule("es.never", ActNever, core.Ban, Strong, "nunca|jamás|prohibido|bajo_ningún_concepto|no_debe|no_deben|no_debes").shows("Nunca toques las migraciones", ""),
			rule("es.dont", ActDont, core.Ban, Hint, "^ no uses|use|usar|añadas|agregues|toques|cambies|pongas|hagas|modifiques|borres|elimines|subas", "^ no crees archivos|tablas|un|una|el|la|los|las|nuevos|nuevas", "no quiero que", "^ evita|nada_de|sin @any").shows("No añadas dependencias nuevas", "no sé"),
			rule("es.only", ModOnly, core.Imperative, Hint, "solo|sólo|solamente|únicamente").shows("Muestra solo diez", ""),
			rule("es.always", ActAlways, core.Memory, Strong, "siempre|cada_vez|en_todo_momento").shows("Escribe siempre pruebas", ""),
			rule("es.from-now-on", ActAlways, core.Memory, Strong, "a_partir_de_ahora|de_ahora_en_adelante|en_adelante|en_el_futuro").shows("A partir de ahora responde en español", ""),
			rule("es.remember", ActAlways, core.Memory, Strong, "recuerda|ten_en_cuenta|acuérdate").shows("Recuerda que funciona sin red", ""),
			rule("es.should", ActShould, core.Imperative, Hint, "@any {es-must}").shows("El botón debe ser rojo", ""),
			rule("es.default", ModDefault, core.Imperative, Hint, "por_defecto|predeterminado").shows("Cerrado por defecto", ""),
			rule("es.want", ActWant, core.Imperative, Hint, "quiero|queremos|me_gustaría|necesito|necesitamos").shows("Quiero una tabla", ""),
			rule("es.prefer", ActPrefer, core.DecisionVerb, Strong, "prefiero|preferimos|mejor_usar|mejor_un|mejor_una").shows("Prefiero un solo archivo", ""),
			rule("es.ensure", ActEnsure, core.Imperative, Hint, "asegúrate|asegurate|asegúrese").shows("Asegúrate de que el orden se mantiene", ""),
			rule("es.build", ActBuild, core.ActionRequest, Hint, "^ {es-build}").shows("Añade una prueba", ""),
			rule("es.fix", ActFix, core.ActionRequest, Hint, "^ arregla|arreglar|corrige|corregir|soluciona|resuelve").shows("Arregla el error", ""),
			rule("es.check", ActCheck, core.ActionRequest, Hint, "^ revisa|revisar|comprueba|verifica|mira|prueba|analiza|investiga|lee").shows("Revisa los logs", ""),
			rule("es.tell", ActTell, core.ActionRequest, Hint, "^ explica|explícame|muéstrame|dime|resume|describe").shows("Explícame el código", ""),
			rule("es.run", ActRun, core.ActionRequest, Hint, "^ ejecuta|instala|inicia|arranca|abre|despliega").shows("Ejecuta las pruebas", ""),
			rule("es.go-on", ActGoOn, core.ActionRequest, Hint, "^ continúa|continua|sigue|siguiente|adelante").shows("Continúa", ""),
			rule("es.yes", ActYes, core.Confirmation, Hint, "^ sí|si|claro|de_acuerdo|perfecto|hazlo|adelante|vale|dale|procede|está_bien|me_parece_bien").shows("Sí, hazlo", ""),
			rule("es.revert", ActRevert, core.Rejection, Strong, "vuelve_a|volvamos_a|revierte|deshaz|mejor_no|olvida_eso").shows("Volvamos a la versión anterior", ""),
			rule("es.aux", AskWh, "", Cue, "^ por_qué|cómo|qué|cuál|cuáles|dónde|quién|cuándo|cuánto").shows("¿Por qué es tan lento?", ""),
			rule("es.symptom", CtxSymptom, "", Cue, "error|errores|falla|fallo|no_funciona|roto|problema"),
			rule("es.praise", CtxPraise, "", Cue, "gracias|genial|funciona|excelente|muy_bien"),
		},
	}
}

// Portuguese is the Portuguese table.
func Portuguese() Table {
	return Table{
		Lang: "pt", Signs: words(`o os as do da e é um uma para com em que por não na ao você`),
		Lists: map[string][]string{
			"pt-use":   words(`usa use usemos usar utilize utiliza utilizar escolhe escolha adote fique_com fica_com`),
			"pt-make":  words(`muda mude mudar altera altere alterar renomeia renomeie troca troque trocar substitui substitua coloca coloque põe ponha ajusta ajuste`),
			"pt-drop":  words(`remove remova remover apaga apague exclui exclua tira tire esconda`),
			"pt-build": words(`adiciona adicione adicionar cria crie criar implementa implemente implementar escreve escreva gera gere`),
			"pt-must":  words(`deve devem deveria deveriam tem_que têm_que precisa_ser precisam_ser`),
		},
		Leads: words(`por_favor então e mas também agora depois sim não ok certo pode você_pode podes poderia podemos vamos devemos deveríamos quero_que
			preciso_que temos_que tem_que gostaria_que`),
		Joins: words(`e mas ou depois`),
		Rules: []Rule{
			rule("pt.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "em_vez_de|ao_invés_de|no_lugar_de|em_vez_do|em_vez_da").shows("Use Postgres em vez de MySQL", ""),
			rule("pt.use", ActUse, core.DecisionVerb, Hint, "^ {pt-use}").shows("Vamos usar UUIDs", "o usuário"),
			rule("pt.decide", ActDecided, core.DecisionVerb, Strong, "vamos_com|ficamos_com|decidimos|vamos_de").shows("Vamos com a segunda opção", ""),
			rule("pt.change", ActChange, core.DecisionVerb, Hint, "^ {pt-make}").shows("Mude o título para vermelho", ""),
			rule("pt.from-to", ModFromTo, core.DecisionVerb, Hint, "{pt-make} ..6 para|por|em @any").shows("Troque a caixa por um círculo", ""),
			rule("pt.drop", ActDrop, core.Rejection, Hint, "^ {pt-drop}").shows("Remova o botão", ""),
			rule("pt.dont-need", ActDontNeed, core.Rejection, Hint, "não_precisamos|não_precisa|não_é_necessário|desnecessário").shows("Não precisamos de cache", ""),
			rule("pt.never", ActNever, core.Ban, Strong, "nunca|jamais|proibido|de_jeito_nenhum|não_deve|não_devem").shows("Nunca toque nas migrações", ""),
			rule("pt.dont", ActDont, core.Ban, Hint, "^ não use|usa|adicione|mexa|mude|altere|coloque|faça|crie|remova|apague|toque", "^ evite|evita|nada_de|sem @any").shows("Não adicione dependências novas", "não sei"),
			rule("pt.only", ModOnly, core.Imperative, Hint, "só|apenas|somente|unicamente").shows("Mostre apenas dez", ""),
			rule("pt.always", ActAlways, core.Memory, Strong, "sempre|toda_vez|em_todos_os_casos").shows("Escreva sempre testes", ""),
			rule("pt.from-now-on", ActAlways, core.Memory, Strong, "a_partir_de_agora|daqui_em_diante|de_agora_em_diante|no_futuro").shows("A partir de agora responda em português", ""),
			rule("pt.remember", ActAlways, core.Memory, Strong, "lembre-se|lembra|leve_em_conta|tenha_em_mente").shows("Lembre-se de que funciona offline", ""),
			rule("pt.should", ActShould, core.Imperative, Hint, "@any {pt-must}").shows("O botão deve ser vermelho", ""),
			rule("pt.default", ModDefault, core.Imperative, Hint, "por_padrão|por_omissão|padrão_é").shows("Fechado por padrão", ""),
			rule("pt.want", ActWant, core.Imperative, Hint, "quero|queremos|gostaria|preciso_de|precisamos_de").shows("Quero uma tabela", ""),
			rule("pt.prefer", ActPrefer, core.DecisionVerb, Strong, "prefiro|preferimos|melhor_usar").shows("Prefiro um arquivo só", ""),
			rule("pt.ensure", ActEnsure, core.Imperative, Hint, "certifique-se|garanta|garante").shows("Garanta que a ordem seja mantida", ""),
			rule("pt.build", ActBuild, core.ActionRequest, Hint, "^ {pt-build}").shows("Adicione um teste", ""),
			rule("pt.fix", ActFix, core.ActionRequest, Hint, "^ corrige|corrija|conserta|conserte|resolve|resolva|arruma|arrume").shows("Corrija o erro", ""),
			rule("pt.check", ActCheck, core.ActionRequest, Hint, "^ verifica|verifique|confere|olha|olhe|testa|teste|analisa|analise|revisa|revise|leia").shows("Verifique os logs", ""),
			rule("pt.tell", ActTell, core.ActionRequest, Hint, "^ explica|explique|mostra|mostre-me|diga|resume|resuma|descreva").shows("Explique o código", ""),
			rule("pt.run", ActRun, core.ActionRequest, Hint, "^ executa|execute|roda|rode|instala|instale|inicia|inicie|abra").shows("Rode os testes", ""),
			rule("pt.go-on", ActGoOn, core.ActionRequest, Hint, "^ continua|continue|próximo|prossiga|segue").shows("Prossiga", ""),
			rule("pt.yes", ActYes, core.Confirmation, Hint, "^ sim|claro|perfeito|de_acordo|pode_ser|pode_fazer|isso_mesmo|faz_isso|faça|prossiga|manda_ver|está_bom").shows("Sim, pode fazer", ""),
			rule("pt.revert", ActRevert, core.Rejection, Strong, "volta_para|volte_para|voltar_para|desfaz|desfaça|reverte|reverta|esquece_isso").shows("Volte para a versão anterior", ""),
			rule("pt.aux", AskWh, "", Cue, "^ por_que|como|qual|quais|onde|quem|quando|quanto|o_que").shows("Por que está lento?", ""),
			rule("pt.symptom", CtxSymptom, "", Cue, "erro|erros|falha|falhou|não_funciona|quebrado|problema"),
			rule("pt.praise", CtxPraise, "", Cue, "obrigado|ótimo|funciona|funcionou|excelente|perfeito"),
		},
	}
}
