package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// Italian is the table of Italian words of assent.
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
		Rules: []gate.Rule{
			rule("it.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "invece_di|al_posto_di|anziché|piuttosto_che").Shows("Usa Postgres invece di MySQL", ""),
			rule("it.use", gate.ActUse, core.DecisionVerb, gate.Hint, "^ {it-use}").Shows("Usiamo gli UUID", "l'uso"),
			rule("it.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "andiamo_con|abbiamo_deciso|decidiamo|scegliamo").Shows("Abbiamo deciso di usare un file", ""),
			rule("it.change", gate.ActChange, core.DecisionVerb, gate.Hint, "^ {it-make}").Shows("Cambia il titolo della pagina", ""),
			rule("it.move", gate.ActMove, core.DecisionVerb, gate.Hint, "^ sposta|spostare|salva|salvare").Shows("Sposta il pulsante della pagina", ""),
			rule("it.show", gate.ActShow, core.DecisionVerb, gate.Hint, "^ mostra|mostrare|visualizza").Shows("Mostra gli ultimi dieci", ""),
			rule("it.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{it-make} ..6 in|con|a @any").Shows("Sostituisci il quadrato con un cerchio", ""),
			rule("it.drop", gate.ActDrop, core.Rejection, gate.Hint, "^ {it-drop}").Shows("Rimuovi il pulsante", ""),
			rule("it.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "non_serve|non_servono|non_è_necessario|non_c'è_bisogno|non_abbiamo_bisogno").Shows("Non serve la cache", ""),
			rule("it.never", gate.ActNever, core.Ban, gate.Strong, "mai|vietato|in_nessun_caso|non_deve|non_devono|non_devi").Shows("Il file non deve cambiare", ""),
			rule("it.dont", gate.ActDont, core.Ban, gate.Hint, "^ non usare|aggiungere|toccare|modificare|cambiare|creare|rimuovere|fare|mettere|inserire|cancellare|scrivere", "^ evita|niente @any").Shows("Non aggiungere dipendenze", "non so"),
			rule("it.only", gate.ModOnly, core.Imperative, gate.Hint, "solo|soltanto|solamente|unicamente").Shows("Mostra solo dieci", ""),
			rule("it.always", gate.ActAlways, core.Memory, gate.Strong, "sempre|ogni_volta").Shows("Scrivi sempre un test", ""),
			rule("it.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "d'ora_in_poi|da_ora_in_poi|in_futuro|da_adesso").Shows("D'ora in poi gli errori sono per il log", ""),
			rule("it.remember", gate.ActAlways, core.Memory, gate.Strong, "ricorda|ricordati|tieni_presente").Shows("Ricorda che funziona offline", ""),
			rule("it.should", gate.ActShould, core.Imperative, gate.Hint, "@any {it-must}").Shows("Il pulsante deve essere rosso", ""),
			rule("it.default", gate.ModDefault, core.Imperative, gate.Hint, "di_default|predefinito|per_impostazione").Shows("Chiuso di default", ""),
			rule("it.want", gate.ActWant, core.Imperative, gate.Hint, "voglio|vogliamo|vorrei|vorremmo|mi_serve|ho_bisogno").Shows("Vorrei una tabella", ""),
			rule("it.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "preferisco|preferiamo|meglio_usare").Shows("Preferisco un file solo", ""),
			rule("it.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "assicurati|garantisci").Shows("Assicurati che l'ordine resti", ""),
			rule("it.build", gate.ActBuild, core.ActionRequest, gate.Hint, "^ {it-build}").Shows("Aggiungi un test", ""),
			rule("it.update", gate.ActUpdate, core.ActionRequest, gate.Hint, "^ aggiorna|aggiornare|migliora|rifattorizza|riscrivi").Shows("Aggiorna il titolo", ""),
			rule("it.fix", gate.ActFix, core.ActionRequest, gate.Hint, "^ correggi|correggere|sistema|risolvi|ripara").Shows("Correggi il titolo", ""),
			rule("it.check", gate.ActCheck, core.ActionRequest, gate.Hint, "^ controlla|verifica|verificare|guarda|testa|analizza|leggi|cerca|prova").Shows("Controlla il log", ""),
			rule("it.tell", gate.ActTell, core.ActionRequest, gate.Hint, "^ spiega|spiegami|dimmi|mostrami|riassumi|descrivi|elenca").Shows("Spiegami il codice", ""),
			rule("it.run", gate.ActRun, core.ActionRequest, gate.Hint, "^ esegui|lancia|avvia|installa|apri").Shows("Esegui il test", ""),
			rule("it.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "^ continua|prosegui|avanti").Shows("Continua", ""),
			rule("it.option", gate.ActOption, core.DecisionVerb, gate.Strong, "opzione|proposta|soluzione @num|a|b|c|d").Shows("prendi la opzione 2 per il test", ""),
			rule("it.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ sì|procedi|va_bene|perfetto|d'accordo|fallo|certo|esatto|vai").Shows("Sì, procedi", ""),
			rule("it.revert", gate.ActRevert, core.Rejection, gate.Strong, "torna_a|torniamo_a|annulla|ripristina|torna_alla").Shows("Annulla il cambio della pagina", ""),
			rule("it.aux", gate.AskWh, "", gate.Cue, "^ perché|come|cosa|quale|quali|dove|chi|quando|quanto|che").Shows("Perché è lento?", ""),
			rule("it.symptom", gate.CtxSymptom, "", gate.Cue, "errore|errori|non_funziona|rotto|problema|fallisce|bug"),
			rule("it.praise", gate.CtxPraise, "", gate.Cue, "grazie|ottimo|funziona|perfetto|bene"),
		},
	}
}
