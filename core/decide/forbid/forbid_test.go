package forbid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide/forbid"
)

func ExampleFinder_In() {
	f := forbid.New()
	for _, s := range []string{
		"Fix the test, but please don't mock the clock.", "Tokens must never be logged.", "Keine neuen Abhängigkeiten.",
		"Don't worry, it passes now.", "Why don't we mock the clock?",
	} {
		form, _ := f.In(s)
		fmt.Println(form, s)
	}
	// Output:
	// order Fix the test, but please don't mock the clock.
	// duty Tokens must never be logged.
	// without Keine neuen Abhängigkeiten.
	// none Don't worry, it passes now.
	// none Why don't we mock the clock?
}

// TestForms has for each language what forbids in each form, and what only looks so.
func TestForms(t *testing.T) {
	finder := forbid.New()
	for form, sentences := range map[forbid.Form]string{
		forbid.Order: `Never push to main directly.|From now on never use store_7, always use bank_7 instead.|Going forward, please don't log tokens.|ab jetzt niemals Tokens loggen|à partir de maintenant n'utilise plus ce module|впредь не трогай схему|don’t add a second cache|Do not edit the lock file!|You will never call the API from a view.|let's not use globals|avoid deep nesting|make no changes to the schema|
			Fasse die Migrationen nicht an.|Bitte nicht committen|Niemals Tokens loggen|Ne modifie pas le schéma.|ne jamais supprimer les sauvegardes|N'utilise plus ce module.|
			No toques el esquema.|nunca subas secretos|no modificar el esquema|Não altere o esquema.|nunca apague os backups|Non modificare lo schema.|Не трогай схему.|никогда не удаляй бэкапы|Не использовать эту библиотеку.|
			不要改数据库结构。|请勿提交密钥|以后别用这个库|スキーマは変更しないでください。|このファイルは触らないこと|스키마는 바꾸지 마세요.|이 파일은 건드리지 말고 진행해`,
		forbid.Duty: `Secrets must not be committed.|Redis is off the table.|no one may push to main|Das Schema darf nicht geändert werden.|Direkte Pushes sind verboten.|Le schéma ne doit pas changer.|Il est interdit de pousser sur main.|
			Está prohibido tocar el esquema.|El esquema no debe cambiar.|É proibido alterar o esquema.|È vietato toccare lo schema.|Lo schema non deve cambiare.|Запрещено менять схему.|Нельзя менять схему.|
			测试里禁止访问外网|这里不允许用全局变量|直接pushは禁止です。|スキーマを変更してはいけません。|직접 푸시 금지|스키마를 바꾸면 안 됩니다.`,
		forbid.Without: `No new dependencies.|please, no emojis|Keine globalen Variablen|Pas de variables globales.|Aucune dépendance nouvelle|Nada de variables globales|Niente variabili globali|Никаких глобальных переменных.`,
		forbid.None: `Don't worry about it.|I don't know why it fails.|It never worked.|never mind|No idea.|No rows returned.|Why is eval forbidden?|You don't save the file.|The schema does not change.|Keine Ahnung.|Der Server antwortet nicht.|
			Das habe ich nicht geändert.|Je ne vois pas le bouton.|N'oublie pas les tests.|Ne t'inquiète pas.|No funciona.|No te preocupes.|¿No uses Redis?|Não funciona.|Não se preocupe.|Non funziona.|Non capisco.|Не работает.|Не переживай.|
			他不要紧|特别的颜色|要不要用这个库？|为什么不要用这个库|打不开了|心配しないでください。|表示されない|触らないほうがいいですか|걱정하지 마세요.|안 열려요|이력서와 JD 확인`,
	} {
		for s := range strings.SplitSeq(sentences, "|") {
			if got, _ := finder.In(strings.TrimSpace(s)); got != form {
				t.Errorf("%q is %s, not %s", strings.TrimSpace(s), got, form)
			}
		}
	}
}
