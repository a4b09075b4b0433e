package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// Russian is the Russian table.
func Russian() gate.Table {
	return gate.Table{
		Lang: "ru", Signs: words(`и в не на что это как для с по но я мы из то же так`),
		Lists: map[string][]string{
			"ru-use":   words(`используй используйте использовать используем применяй примени применить выбери выбираем возьми возьмем берем оставь оставить оставим оставляем`),
			"ru-make":  words(`сделай сделайте сделать сделаем делаем поменяй поменять измени измените изменить меняем замени замените заменить заменим переименуй назови переключи переведи поставь поставить задай увеличь уменьши`),
			"ru-move":  words(`перенеси перенести перенесем перемести переместить положи помести размести вынеси вынести`),
			"ru-show":  words(`показывай показывать выводи выводить отображай отображать`),
			"ru-drop":  words(`удали удалите удалить удаляем убери уберите убрать уберем скрой скрыть выкинь исключи отключи отключить`),
			"ru-build": words(`добавь добавьте добавить добавим создай создайте создать создадим напиши напишите написать реализуй реализовать сгенерируй построй`),
			"ru-must":  words(`должен должна должно должны`),
			"ru-acts":  words(`трогай трогайте меняй меняйте изменяй используй используйте делай делайте удаляй удаляйте добавляй добавляйте создавай создавайте пиши пишите коммить пушь запускай ломай выдумывай придумывай забывай`),
		},
		Leads: words(`пожалуйста давай давайте тогда теперь и а но ну да нет ок хорошо также ещё еще потом лучше просто нужно надо можешь мне нам`),
		Joins: words(`и а но или`),
		Rules: []gate.Rule{
			rule("ru.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "вместо|а_не").Shows("Используй Postgres вместо MySQL", "вместе"),
			rule("ru.use", gate.ActUse, core.DecisionVerb, gate.Hint, "{ru-use}").Shows("Используй UUID", ""),
			rule("ru.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "решили|решено|остановимся_на|договорились").Shows("Решили так: один файл", ""),
			rule("ru.change", gate.ActChange, core.DecisionVerb, gate.Hint, "{ru-make}").Shows("Поменяй цвет на красный", ""),
			rule("ru.move", gate.ActMove, core.DecisionVerb, gate.Hint, "{ru-move}").Shows("Перенеси кнопку вниз", ""),
			rule("ru.show", gate.ActShow, core.DecisionVerb, gate.Hint, "{ru-show}").Shows("Показывай последние десять", ""),
			rule("ru.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "{ru-make} ..6 на @any").Shows("Замени круг на квадрат", ""),
			rule("ru.drop", gate.ActDrop, core.Rejection, gate.Hint, "{ru-drop}").Shows("Удали эту кнопку", ""),
			rule("ru.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "не_нужно|не_надо|не_нужен|не_нужна|не_нужны|не_требуется").Shows("Кеш не нужен", ""),
			rule("ru.never", gate.ActNever, core.Ban, gate.Strong, "никогда_не|нельзя|запрещено|запрещается|ни_в_коем_случае").Shows("Нельзя менять схему", ""),
			rule("ru.dont", gate.ActDont, core.Ban, gate.Hint, "не {ru-acts}", "не_нужно|не_надо|не_стоит {ru-use}|{ru-make}|{ru-drop}|{ru-build}|{ru-move}|трогать|менять|делать|удалять|добавлять").Shows("Не трогай другие файлы", "Добавь файл"),
			rule("ru.should-not", gate.ActShouldNot, core.Ban, gate.Hint, "не_должен|не_должна|не_должно|не_должны").Shows("Кнопка не должна исчезать", ""),
			rule("ru.only", gate.ModOnly, core.Imperative, gate.Hint, "только|лишь").Shows("Показывай только десять", ""),
			rule("ru.always", gate.ActAlways, core.Memory, gate.Strong, "всегда|каждый_раз").Shows("Всегда пиши тесты", ""),
			rule("ru.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "отныне|впредь|в_дальнейшем|с_этого_момента|в_будущем").Shows("Впредь отвечай по-русски", ""),
			rule("ru.remember", gate.ActAlways, core.Memory, gate.Strong, "запомни|запомните|помни|имей_в_виду").Shows("Запомни, что клиент офлайн", ""),
			rule("ru.should", gate.ActShould, core.Imperative, gate.Hint, "{ru-must}|нужно|надо|необходимо|следует|пусть|требуется").Shows("Список должен быть пустым", ""),
			rule("ru.default", gate.ModDefault, core.Imperative, gate.Hint, "по_умолчанию").Shows("По умолчанию закрыто", ""),
			rule("ru.want", gate.ActWant, core.Imperative, gate.Hint, "хочу|хотим|хотелось|хотел|хотелось_бы|мне_нужен|мне_нужна|мне_нужно").Shows("Хочу таблицу", ""),
			rule("ru.prefer", gate.ActPrefer, core.DecisionVerb, gate.Strong, "предпочитаю|лучше_всего|лучше_пусть").Shows("Предпочитаю один файл", ""),
			rule("ru.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "убедись|убедитесь|обеспечь|проследи|обязательно").Shows("Убедись, что порядок сохранён", ""),
			rule("ru.build", gate.ActBuild, core.ActionRequest, gate.Hint, "{ru-build}").Shows("Добавь тест", ""),
			rule("ru.update", gate.ActUpdate, core.ActionRequest, gate.Hint, "обнови|обновите|обновить|доработай|доработать|улучши|улучшить|отрефактори|оптимизируй|перепиши|переделай|переделать").Shows("Обнови документацию", ""),
			rule("ru.fix", gate.ActFix, core.ActionRequest, gate.Hint, "исправь|исправьте|исправить|почини|починить|поправь|поправить|устрани|реши").Shows("Исправь ошибку", ""),
			rule("ru.check", gate.ActCheck, core.ActionRequest, gate.Hint, "проверь|проверьте|проверить|посмотри|посмотреть|изучи|изучить|найди|найти|прочитай|прочти|протестируй").Shows("Проверь логи", ""),
			rule("ru.tell", gate.ActTell, core.ActionRequest, gate.Hint, "объясни|расскажи|опиши|покажи|скажи|подскажи|предложи").Shows("Объясни код", ""),
			rule("ru.run", gate.ActRun, core.ActionRequest, gate.Hint, "запусти|запустить|установи|установить|выполни|выполнить|перезапусти|собери|разверни").Shows("Запусти тесты", ""),
			rule("ru.git", gate.ActGit, core.ActionRequest, gate.Hint, "закоммить|коммит|коммить|запушь|пуш|пушь|смержи|залей").Shows("Закоммить это", ""),
			rule("ru.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "продолжай|продолжи|продолжаем|продолжить|дальше|далее").Shows("Продолжай", ""),
			rule("ru.option", gate.ActOption, core.DecisionVerb, gate.Strong, "вариант|варианту|вариантом|пункт @num|a|b|c|d").Shows("давай вариант 2", ""),
			rule("ru.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ да|давай|давайте|действуй|внедряй|исправляй|делай|подтверждаю|согласен|согласна|хорошо|верно|конечно|поехали|принято").
				Shows("Да, делай", "не надо"),
			rule("ru.revert", gate.ActRevert, core.Rejection, gate.Strong, "верни|вернуть|вернем|откати|откатить|отмени|отменить|вернись|вернемся").Shows("Верни как было", ""),
			rule("ru.wh", gate.AskWh, "", gate.Cue, "почему|зачем|как|какой|какая|какие|какое|где|кто|когда|сколько|ли|можно_ли|что_это|в_чем").Shows("Почему так медленно", ""),
			rule("ru.symptom", gate.CtxSymptom, "", gate.Cue, "ошибка|ошибку|ошибки|ошибок|не_работает|не_работают|не_запускается|сломалось|упало|падает|проблема|проблему|баг|неправильно"),
			rule("ru.praise", gate.CtxPraise, "", gate.Cue, "спасибо|отлично|супер|класс|круто|молодец|работает"),
			rule("ru.colour", gate.ModColour, "", gate.Cue, "красный|красным|синий|синим|зеленый|зеленым|белый|белым|черный|черным|серый|серым|желтый|цвет|цвета|цветом"),
			rule("ru.place", gate.ModPlace, "", gate.Cue, "слева|справа|сверху|снизу|вверху|внизу|рядом|под|над|внутри|посередине|по_центру"),
			rule("ru.bound", gate.ModBound, "", gate.Cue, "не_более|не_менее|максимум|минимум"),
			rule("ru.docs", gate.ModDocs, "", gate.Cue, "документацию|документация|документации|комментарии|readme"),
			rule("ru.plan", gate.ModPlan, "", gate.Cue, "план|плана|плану|идея|предложение"),
			rule("ru.can-you", gate.CtxCanYou, "", gate.Cue, "можешь|можете|мог_бы|могли_бы"),
			rule("ru.please", gate.CtxPlease, "", gate.Cue, "пожалуйста|плиз"),
			rule("ru.still", gate.CtxStill, "", gate.Cue, "по_прежнему|все_еще|до_сих_пор|опять|снова"),
			rule("ru.think", gate.CtxThink, "", gate.Cue, "думаю|считаю|кажется|по_моему"),
			rule("ru.so-that", gate.ModSoThat, "", gate.Cue, "чтобы|чтоб"),
		},
	}
}
