package lexicon

import "github.com/memscribe/memscribe/core/gate"

// German returns the German table.
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
		Rules: rules(`
de.instead-of	mod.instead-of	decision_verb	strong	statt|anstatt|anstelle|an_stelle_von	Nimm Postgres statt MySQL	stattdessen
de.use	act.use	decision_verb	hint	^ {de-use} ; wir verwenden|benutzen|nehmen|nutzen ; {de-must} @any ..3 verwendet|benutzt|genutzt	Verwende UUIDs	die Nutzen sind klar
de.decide	act.decided	decision_verb	strong	wir_entscheiden|entschieden|beschlossen|machen_wir|nehmen_wir	Nehmen wir die zweite
de.change	act.change	decision_verb	hint	^ {de-make} ; ersetze|ersetzen ..6 durch|mit	Ändere den Titel auf Rot
de.move	act.move	decision_verb	hint	^ verschiebe|verschieb|verschieben|platziere|speichere|speichern	Verschiebe den Knopf nach unten
de.show	act.show	decision_verb	hint	^ zeige|zeig|zeigen|anzeigen @any	Zeige die letzten zehn	der Zeiger
de.from-to	mod.from-to	decision_verb	hint	{de-make}|ersetze|ersetzen ..6 auf|zu|in|durch @any ; von @any ..3 auf|zu @any	Setze das Limit auf 50
de.drop	act.drop	rejection	hint	^ {de-drop}	Entferne den Knopf
de.dont-need	act.dont-need	rejection	hint	brauchen_wir_nicht|brauchen_wir_keine|brauchen_keine|brauchen_keinen|brauchen_kein|nicht_nötig|unnötig	Wir brauchen keine Suffixe
de.never	act.never	ban	strong	nie|niemals|auf_keinen_fall|verboten|darf_nicht|dürfen_nicht|darf_nie|darf_kein|darf_keine	Das Schema darf nicht geändert werden
de.dont	act.dont	ban	hint	^ {de-use}|{de-make}|{de-drop}|{de-build}|fass|fasse|committe|pushe|lade ..5 nicht|keine|keinen|kein ; ^ keine|kein|keinen @any ; vermeide|vermeiden @any	Benutze hier kein Bash
de.only	mod.only	imperative	hint	nur|ausschließlich|lediglich	Zeige nur zehn
de.always	act.always	memory	strong	immer|jedes_mal|grundsätzlich|stets	Schreibe immer Tests
de.from-now-on	act.always	memory	strong	ab_jetzt|von_jetzt_an|in_zukunft|künftig|ab_sofort|zukünftig	Ab jetzt liegen Tests beim Code
de.remember	act.always	memory	strong	merk_dir|denk_daran|denke_daran|beachte	Merk dir, dass wir freitags liefern
de.should	act.should	imperative	hint	@any {de-must}	Die Knöpfe sollen rot sein	Soll ich?
de.default	mod.default	imperative	hint	standardmäßig|als_standard|der_standard|default	Standardmäßig geschlossen
de.want	act.want	imperative	hint	ich|wir will|möchte|wollen|möchten|hätte|brauche|brauchen	Ich möchte eine Tabelle
de.prefer	act.prefer	decision_verb	strong	lieber|bevorzuge|bevorzugen|besser_wäre	Lieber eine Datei
de.ensure	act.ensure	imperative	hint	stell_sicher|stelle_sicher|achte_darauf	Stelle sicher, dass es sortiert ist
de.build	act.build	action_request	hint	^ {de-build}	Füge einen Test hinzu
de.fix	act.fix	action_request	hint	^ behebe|beheben|repariere|reparieren|löse|korrigiere|fixe|fix	Behebe den Fehler
de.check	act.check	action_request	hint	^ prüfe|prüf|prüfen|schau|schaue|teste|testen|untersuche|lies|überprüfe|sieh	Prüfe die Logs
de.tell	act.tell	action_request	hint	^ erkläre|erklär|erklären|zeig_mir|zeige_mir|sag_mir|beschreibe|fasse_zusammen	Erkläre das
de.run	act.run	action_request	hint	^ starte|starten|führe|installiere|öffne	Starte den Server
de.go-on	act.go-on	action_request	hint	mach_weiter|weiter|weitermachen|fahre_fort	Mach weiter
de.option	act.option	decision_verb	strong	option|variante|lösung|vorschlag|punkt @num|a|b|c|d	nimm Variante 2
de.yes	act.yes	confirmation	hint	^ ja|jawohl|genau|einverstanden|klingt_gut|passt|mach_das|mach_es|gerne|umsetzen|in_ordnung|leg_los|so_machen	Ja, mach das
de.revert	act.revert	rejection	strong	^ zurück ; zurück_zu|zurück_zur|rückgängig|doch_lieber|doch_wieder|vergiss_das	Zurück zur alten Version
de.aux	ask.wh	-	cue	^ warum|wieso|weshalb|wie|was|wo|wer|welche|welcher|welches|wann ; ^ ist|sind|hat|haben|kann|soll|sollen|wird|gibt ich|es|wir|das|der|die|man	Warum ist das langsam?
de.veto	veto.phrase	-	cue	keine_sorge|keine_sorgen|keine_ahnung|keine_angst|kein_problem|vergiss_nicht|keine_gedanken
de.symptom	ctx.symptom	-	cue	fehler|fehlermeldung|kaputt|geht_nicht|funktioniert_nicht|abgestürzt|falsch|problem
de.praise	ctx.praise	-	cue	danke|super|toll|klasse|funktioniert|sieht_gut`),
	}
}

// French returns the French table.
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
		Rules: rules(`
fr.instead-of	mod.instead-of	decision_verb	strong	au_lieu_de|au_lieu_d|plutôt_que|à_la_place_de|plutôt_qu	Utilise Postgres au lieu de MySQL
fr.use	act.use	decision_verb	hint	^ {fr-use} ; il_faut|on_va|nous_allons utiliser|prendre|garder	Utilise des UUID
fr.decide	act.decided	decision_verb	strong	partons_sur|on_part_sur|on_prend|on_garde ; est|a|ai|avons|j'ai|c'est ..1 décidé ; décidé que|de|d'utiliser	On part sur la deuxième option
fr.change	act.change	decision_verb	hint	^ {fr-make}	Change le titre en rouge
fr.move	act.move	decision_verb	hint	^ déplace|déplacez|déplacer|place|placer|stocke|stocker|enregistre|enregistrer	Déplace le bouton en bas
fr.show	act.show	decision_verb	hint	^ affiche|affichez|afficher|montre|montrer	Affiche les dix derniers
fr.from-to	mod.from-to	decision_verb	hint	{fr-make} ..6 par|en|à|vers|pour @any	Remplace la boîte par un cercle
fr.drop	act.drop	rejection	hint	^ {fr-drop}	Supprime le bouton
fr.dont-need	act.dont-need	rejection	hint	pas_besoin|n'avons_pas_besoin|inutile	Pas besoin de cache
fr.never	act.never	ban	strong	ne ..3 jamais ; ^ jamais ; interdit|en_aucun_cas|ne_doit_pas|ne_doivent_pas|ne_dois_pas|ne_devez_pas|ne_devons_pas	Ne touche jamais aux migrations
fr.dont	act.dont	ban	hint	^ ne ..2 pas|plus ; ^ n'ajoute|n'ajoutez|n'utilise|n'utilisez|n'emploie|n'écris|n'affiche @any ; ^ pas_de|évite|évitons @any	N'ajoute pas de dépendance
fr.only	mod.only	imperative	hint	seulement|uniquement|que_les	Affiche seulement dix lignes
fr.always	act.always	memory	strong	toujours|à_chaque_fois|systématiquement|chaque_fois	Écris toujours un test
fr.from-now-on	act.always	memory	strong	désormais|à_partir_de_maintenant|dorénavant|à_l'avenir	Désormais, réponds en français
fr.remember	act.always	memory	strong	souviens-toi|rappelle-toi|n'oublie_pas|retiens	Rappelle-toi que le client est hors ligne
fr.should	act.should	imperative	hint	@any {fr-must} ; il_faut|il_faudrait|faudrait|faut_que	Le bouton doit être rouge
fr.default	mod.default	imperative	hint	par_défaut	Fermé par défaut
fr.want	act.want	imperative	hint	je_veux|je_voudrais|j'aimerais|on_veut|nous_voulons|il_nous_faut|j'ai_besoin	Je voudrais un tableau
fr.prefer	act.prefer	decision_verb	strong	je_préfère|on_préfère|plutôt @any	Je préfère un seul fichier
fr.ensure	act.ensure	imperative	hint	assure-toi|assurez-vous|veille_à	Assure-toi que l'ordre est gardé
fr.build	act.build	action_request	hint	^ {fr-build}	Ajoute un test
fr.fix	act.fix	action_request	hint	^ corrige|corrigeons|corrigez|corriger|répare|réparer|résous|résoudre|règle	Corrige le bug
fr.check	act.check	action_request	hint	^ vérifie|vérifier|vérifiez|regarde|regardez|regarder|tester|analyser|teste|lis|examine|analyse|cherche	Vérifie les logs
fr.tell	act.tell	action_request	hint	^ explique|expliquez|expliquer|montre-moi|donne-moi|dis-moi|résume|décris	Explique le code
fr.run	act.run	action_request	hint	^ lance|exécute|installe|démarre|ouvre	Lance les tests
fr.go-on	act.go-on	action_request	hint	^ continue|continuez|poursuis|suivant	Continue
fr.option	act.option	decision_verb	strong	option|proposition|solution|choix|variante @num|a|b|c|d	on part sur la solution 2
fr.yes	act.yes	confirmation	hint	^ oui|d'accord|parfait|vas-y|exactement|ça_marche|fais-le|fais_le|je_valide|ça_me_va|allons-y|c'est_ok|c'est_bon	Oui, vas-y
fr.revert	act.revert	rejection	strong	reviens|revenons|annule|finalement|rétablis|retour_à	Revenons à la version précédente
fr.aux	ask.wh	-	cue	^ pourquoi|comment|quel|quelle|quels|où|qui|quand|combien|est-ce_que|qu'est-ce	Pourquoi est-ce si lent ?
fr.veto	veto.phrase	-	cue	t'inquiète|t'inquiete|inquiétez|inquiète|n'oublie|n'oubliez|n'hésite|n'hésitez|pas_de_souci|pas_de_problème
fr.symptom	ctx.symptom	-	cue	erreur|erreurs|échec|cassé|ne_marche_pas|ne_fonctionne_pas|problème|plante|bug
fr.praise	ctx.praise	-	cue	merci|super|génial|ça_marche|bravo`),
	}
}

// Spanish returns the Spanish table.
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
		Rules: rules(`
es.instead-of	mod.instead-of	decision_verb	strong	en_lugar_de|en_vez_de|antes_que	Usa Postgres en lugar de MySQL
es.use	act.use	decision_verb	hint	^ {es-use}	Usemos UUIDs	el usuario
es.decide	act.decided	decision_verb	strong	vamos_con|nos_quedamos_con|decidimos|hemos_decidido|me_quedo_con	Vamos con la segunda opción
es.change	act.change	decision_verb	hint	^ {es-make}	Cambia el título a rojo
es.move	act.move	decision_verb	hint	^ muévelo|guarda|guardar|guarde|ubica	Guarda las fechas en UTC
es.show	act.show	decision_verb	hint	^ muestra|mostrar|muestre	Muestra los últimos diez
es.from-to	mod.from-to	decision_verb	hint	{es-make} ..6 a|por|en|como @any	Reemplaza la caja por un círculo
es.drop	act.drop	rejection	hint	^ {es-drop}	Elimina el botón
es.dont-need	act.dont-need	rejection	hint	no_necesitamos|no_hace_falta|no_es_necesario|no_necesito	No hace falta caché
es.never	act.never	ban	strong	nunca|jamás|prohibido|bajo_ningún_concepto|no_debe|no_deben|no_debes	Nunca toques las migraciones
es.dont	act.dont	ban	hint	^ no uses|use|usar|añadas|agregues|toques|cambies|pongas|hagas|modifiques|borres|elimines|subas ; ^ no crees archivos|tablas|un|una|el|la|los|las|nuevos|nuevas ; no quiero que ; ^ evita|nada_de|sin @any	No añadas dependencias nuevas	no sé
es.only	mod.only	imperative	hint	solo|sólo|solamente|únicamente	Muestra solo diez
es.always	act.always	memory	strong	siempre|cada_vez|en_todo_momento	Escribe siempre pruebas
es.from-now-on	act.always	memory	strong	a_partir_de_ahora|de_ahora_en_adelante|en_adelante|en_el_futuro	A partir de ahora responde en español
es.remember	act.always	memory	strong	recuerda|ten_en_cuenta|acuérdate	Recuerda que funciona sin red
es.should	act.should	imperative	hint	@any {es-must}	El botón debe ser rojo
es.default	mod.default	imperative	hint	por_defecto|predeterminado	Cerrado por defecto
es.want	act.want	imperative	hint	quiero|queremos|me_gustaría|necesito|necesitamos	Quiero una tabla
es.prefer	act.prefer	decision_verb	strong	prefiero|preferimos|mejor_usar|mejor_un|mejor_una	Prefiero un solo archivo
es.ensure	act.ensure	imperative	hint	asegúrate|asegurate|asegúrese	Asegúrate de que el orden se mantiene
es.build	act.build	action_request	hint	^ {es-build}	Añade una prueba
es.fix	act.fix	action_request	hint	^ arregla|arreglar|arréglalo|repara|solucionar|resolver|corrige|corregir|soluciona|resuelve	Arregla el error
es.check	act.check	action_request	hint	^ revisa|revisar|verificar|analizar|busca|buscar|lee|comprueba|verifica|mira|prueba|analiza|investiga|lee	Revisa los logs
es.tell	act.tell	action_request	hint	^ explica|explícame|explicar|dame|muéstrame|muéstrame|dime|resume|describe	Explícame el código
es.run	act.run	action_request	hint	^ ejecuta|instala|inicia|arranca|abre|despliega	Ejecuta las pruebas
es.go-on	act.go-on	action_request	hint	^ continúa|continua|sigue|siguiente|adelante	Continúa
es.option	act.option	decision_verb	strong	opción|opcion|propuesta|alternativa @num|a|b|c|d	la opción 2
es.yes	act.yes	confirmation	hint	^ sí|si|claro|de_acuerdo|perfecto|hazlo|adelante|vale|dale|procede|está_bien|me_parece_bien	Sí, hazlo
es.revert	act.revert	rejection	strong	vuelve_a|volvamos_a|revierte|deshaz|mejor_no|olvida_eso	Volvamos a la versión anterior
es.aux	ask.wh	-	cue	^ por_qué|cómo|qué|cuál|cuáles|dónde|quién|cuándo|cuánto	¿Por qué es tan lento?
es.veto	veto.phrase	-	cue	te_preocupes|se_preocupe|no_olvides|no_dudes|no_hay_problema
es.symptom	ctx.symptom	-	cue	error|errores|falla|fallo|no_funciona|roto|problema
es.praise	ctx.praise	-	cue	gracias|genial|funciona|excelente|muy_bien`),
	}
}

// Portuguese returns the Portuguese table.
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
		Rules: rules(`
pt.instead-of	mod.instead-of	decision_verb	strong	em_vez_de|ao_invés_de|no_lugar_de|em_vez_do|em_vez_da	Use Postgres em vez de MySQL
pt.use	act.use	decision_verb	hint	^ {pt-use}	Vamos usar UUIDs	o usuário
pt.decide	act.decided	decision_verb	strong	vamos_com|ficamos_com|decidimos|vamos_de	Vamos com a segunda opção
pt.change	act.change	decision_verb	hint	^ {pt-make}	Mude o título para vermelho
pt.move	act.move	decision_verb	hint	^ mova|move|mover|guarda|guarde|salve|salva	Mova o botão para baixo
pt.show	act.show	decision_verb	hint	^ mostra|mostre|mostrar|exibe|exiba|exibir	Mostre os últimos dez
pt.from-to	mod.from-to	decision_verb	hint	{pt-make} ..6 para|por|em @any	Troque a caixa por um círculo
pt.drop	act.drop	rejection	hint	^ {pt-drop}	Remova o botão
pt.dont-need	act.dont-need	rejection	hint	não_precisamos|não_precisa|não_é_necessário|desnecessário	Não precisamos de cache
pt.never	act.never	ban	strong	nunca|jamais|proibido|de_jeito_nenhum|não_deve|não_devem	Nunca toque nas migrações
pt.dont	act.dont	ban	hint	^ não use|usa|adicione|mexa|mude|altere|coloque|faça|crie|remova|apague|toque ; ^ evite|evita|nada_de|sem @any	Não adicione dependências novas	não sei
pt.only	mod.only	imperative	hint	só|apenas|somente|unicamente	Mostre apenas dez
pt.always	act.always	memory	strong	sempre|toda_vez|em_todos_os_casos	Escreva sempre testes
pt.from-now-on	act.always	memory	strong	a_partir_de_agora|daqui_em_diante|de_agora_em_diante|no_futuro	A partir de agora responda em português
pt.remember	act.always	memory	strong	lembre-se|lembra|leve_em_conta|tenha_em_mente	Lembre-se de que funciona offline
pt.should	act.should	imperative	hint	@any {pt-must}	O botão deve ser vermelho
pt.default	mod.default	imperative	hint	por_padrão|por_omissão|padrão_é	Fechado por padrão
pt.want	act.want	imperative	hint	quero|queremos|gostaria|preciso_de|precisamos_de	Quero uma tabela
pt.prefer	act.prefer	decision_verb	strong	prefiro|preferimos|melhor_usar	Prefiro um arquivo só
pt.ensure	act.ensure	imperative	hint	certifique-se|garanta|garante	Garanta que a ordem seja mantida
pt.build	act.build	action_request	hint	^ {pt-build}	Adicione um teste
pt.fix	act.fix	action_request	hint	^ corrige|corrija|corrigir|resolver|arrumar|conserta|conserte|resolve|resolva|arruma|arrume	Corrija o erro
pt.check	act.check	action_request	hint	^ verifica|verifique|verificar|analisar|procure|veja|vê|confere|olha|olhe|testa|teste|analisa|analise|revisa|revise|leia	Verifique os logs
pt.tell	act.tell	action_request	hint	^ explica|explique|explicar|mostre-me|me_diga|me_explique|mostra|mostre-me|diga|resume|resuma|descreva	Explique o código
pt.run	act.run	action_request	hint	^ executa|execute|roda|rode|instala|instale|inicia|inicie|abra	Rode os testes
pt.go-on	act.go-on	action_request	hint	^ continua|continue|próximo|prossiga|segue	Prossiga
pt.option	act.option	decision_verb	strong	opção|opcao|alternativa|proposta @num|a|b|c|d	a opção 2
pt.yes	act.yes	confirmation	hint	^ sim|claro|perfeito|de_acordo|pode_ser|pode_fazer|isso_mesmo|faz_isso|faça|prossiga|manda_ver|está_bom	Sim, pode fazer
pt.revert	act.revert	rejection	strong	volta_para|volte_para|voltar_para|desfaz|desfaça|reverte|reverta|esquece_isso	Volte para a versão anterior
pt.aux	ask.wh	-	cue	^ por_que|como|qual|quais|onde|quem|quando|quanto|o_que	Por que está lento?
pt.veto	veto.phrase	-	cue	se_preocupe|não_esqueça|sem_problema|sem_problemas
pt.symptom	ctx.symptom	-	cue	erro|erros|falha|falhou|não_funciona|quebrado|problema
pt.praise	ctx.praise	-	cue	obrigado|ótimo|funciona|funcionou|excelente|perfeito`),
	}
}
