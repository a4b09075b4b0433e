package lexicon

import "github.com/memscribe/memscribe/core/gate"

// Italian returns the Italian table.
func Italian() gate.Table {
	return gate.Table{
		Lang: "it", Signs: words(`il lo gli di che è un una per non con del della sono come più questo nel`),
		Lists: map[string][]string{
			"it-use":   words(`usa usate usare usiamo utilizza utilizzare utilizziamo scegli scegliere adotta adottiamo mantieni manteniamo mantenere tieni`),
			"it-make":  words(`cambia cambiare cambiamo modifica modificare rinomina rinominare metti mettere mettiamo sostituisci sostituire imposta impostare fai fare rendi aumenta riduci lascia`),
			"it-drop":  words(`rimuovi rimuovere rimuoviamo elimina eliminare eliminiamo togli togliere nascondi cancella cancellare`),
			"it-build": words(`aggiungi aggiungere aggiungiamo crea creare creiamo implementa implementare scrivi scrivere genera generare costruisci`),
			"it-must":  words(`deve devono dovrebbe dovrebbero`),
		},
		Leads: words(`per_favore allora poi e ma anche adesso ora sì no ok va_bene puoi potresti possiamo dobbiamo dovremmo voglio_che vorrei_che bisogna`),
		Joins: words(`e ma o poi`),
		Rules: rules(`
it.instead-of	mod.instead-of	decision_verb	strong	invece_di|al_posto_di|anziché|piuttosto_che	Usa Postgres invece di MySQL
it.use	act.use	decision_verb	hint	^ {it-use}	Usiamo gli UUID	l'uso
it.decide	act.decided	decision_verb	strong	andiamo_con|abbiamo_deciso|decidiamo|scegliamo	Abbiamo deciso di usare un file
it.change	act.change	decision_verb	hint	^ {it-make}	Cambia il titolo della pagina
it.move	act.move	decision_verb	hint	^ sposta|spostare|salva|salvare	Sposta il pulsante della pagina
it.show	act.show	decision_verb	hint	^ mostra|mostrare|visualizza	Mostra gli ultimi dieci
it.from-to	mod.from-to	decision_verb	hint	{it-make} ..6 in|con|a @any	Sostituisci il quadrato con un cerchio
it.drop	act.drop	rejection	hint	^ {it-drop}	Rimuovi il pulsante
it.dont-need	act.dont-need	rejection	hint	non_serve|non_servono|non_è_necessario|non_c'è_bisogno|non_abbiamo_bisogno	Non serve la cache
it.never	act.never	ban	strong	mai|vietato|in_nessun_caso|non_deve|non_devono|non_devi	Il file non deve cambiare
it.dont	act.dont	ban	hint	^ non usare|aggiungere|toccare|modificare|cambiare|creare|rimuovere|fare|mettere|inserire|cancellare|scrivere ; ^ evita|niente @any	Non aggiungere dipendenze	non so
it.only	mod.only	imperative	hint	solo|soltanto|solamente|unicamente	Mostra solo dieci
it.always	act.always	memory	strong	sempre|ogni_volta	Scrivi sempre un test
it.from-now-on	act.always	memory	strong	d'ora_in_poi|da_ora_in_poi|in_futuro|da_adesso	D'ora in poi gli errori sono per il log
it.remember	act.always	memory	strong	ricorda|ricordati|tieni_presente	Ricorda che funziona offline
it.should	act.should	imperative	hint	@any {it-must}	Il pulsante deve essere rosso
it.default	mod.default	imperative	hint	di_default|predefinito|per_impostazione	Chiuso di default
it.want	act.want	imperative	hint	voglio|vogliamo|vorrei|vorremmo|mi_serve|ho_bisogno	Vorrei una tabella
it.prefer	act.prefer	decision_verb	strong	preferisco|preferiamo|meglio_usare	Preferisco un file solo
it.ensure	act.ensure	imperative	hint	assicurati|garantisci	Assicurati che l'ordine resti
it.build	act.build	action_request	hint	^ {it-build}	Aggiungi un test
it.update	act.update	action_request	hint	^ aggiorna|aggiornare|migliora|rifattorizza|riscrivi	Aggiorna il titolo
it.fix	act.fix	action_request	hint	^ correggi|correggere|sistema|risolvi|ripara	Correggi il titolo
it.check	act.check	action_request	hint	^ controlla|verifica|verificare|guarda|testa|analizza|leggi|cerca|prova	Controlla il log
it.tell	act.tell	action_request	hint	^ spiega|spiegami|dimmi|mostrami|riassumi|descrivi|elenca	Spiegami il codice
it.run	act.run	action_request	hint	^ esegui|lancia|avvia|installa|apri	Esegui il test
it.go-on	act.go-on	action_request	hint	^ continua|prosegui|avanti	Continua
it.option	act.option	decision_verb	strong	opzione|proposta|soluzione @num|a|b|c|d	prendi la opzione 2 per il test
it.yes	act.yes	confirmation	hint	^ sì|procedi|va_bene|perfetto|d'accordo|fallo|certo|esatto|vai	Sì, procedi
it.revert	act.revert	rejection	strong	torna_a|torniamo_a|annulla|ripristina|torna_alla	Annulla il cambio della pagina
it.aux	ask.wh	-	cue	^ perché|come|cosa|quale|quali|dove|chi|quando|quanto|che	Perché è lento?
it.veto	veto.phrase	-	cue	preoccuparti|preoccuparsi|preoccupatevi|non_dimenticare|nessun_problema|niente_paura
it.symptom	ctx.symptom	-	cue	errore|errori|non_funziona|rotto|problema|fallisce|bug
it.praise	ctx.praise	-	cue	grazie|ottimo|funziona|perfetto|bene`),
	}
}
