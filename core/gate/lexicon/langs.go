package lexicon

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// The tables of the other languages hold the core markers: what decides,
// forbids, stands, assents, asks for work or asks. Their rules are of the
// families of the English ones and weigh the same.

// rule is a line of such a table. Its id is the language and the family, as "zh.use".
func rule(id string, f gate.Family, c core.Category, t gate.Tier, patterns ...string) gate.Rule {
	return gate.Rule{ID: id, Family: f, Category: c, Tier: t, Patterns: patterns}
}

// Chinese is the table of simplified and traditional Chinese.
func Chinese() gate.Table {
	return gate.Table{
		Lang:  "zh",
		Leads: words(`请 請 麻烦 帮我 幫我 我们 我們 你 我 先 再 然后 另外 还有 可以 能不能 可不可以 我想 我要 我希望 好的 好 那就 就 直接 现在`),
		Rules: []gate.Rule{
			rule("zh.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "而不是|而非|代替|取代|替代").Shows("用 Postgres 而不是 MySQL", "用 Postgres"),
			rule("zh.use", gate.ActUse, core.DecisionVerb, gate.Hint, "改用|采用|採用|选用|使用|就用|还是用|选择|選擇|统一用", "^ 用 @code|@name|@word", "用 @code|@name").Shows("改用 Redis", "为什么"),
			rule("zh.change", gate.ActChange, core.DecisionVerb, gate.Hint, "改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為|设成|调整为|重命名为|命名为|改名为").Shows("把标题改成红色", "改了什么"),
			rule("zh.make", gate.ActMake, core.DecisionVerb, gate.Hint, "保留|保持|沿用|做成|变成").Shows("保留旧的名字", ""),
			rule("zh.show", gate.ActShow, core.DecisionVerb, gate.Hint, "显示|展示|顯示").Shows("显示最后十条", ""),
			rule("zh.move", gate.ActMove, core.DecisionVerb, gate.Hint, "移到|移动到|放到|放在|移至|挪到|放入|存到|保存到|拆分|拆成|合并成|合并到").Shows("把按钮移到下面", ""),
			rule("zh.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為").Shows("超时设为 30 秒", ""),
			rule("zh.drop", gate.ActDrop, core.Rejection, gate.Hint, "删除|删掉|刪除|去掉|移除|去除|取消|隐藏|不再支持").Shows("去掉这个按钮", ""),
			rule("zh.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "不需要|不用|无需|没必要|不必").Shows("不需要缓存", ""),
			rule("zh.dont", gate.ActDont, core.Ban, gate.Hint, "不要|别|不准|不可以|不能再|不能写死|不能移除|不能删除|不能修改|不能过度|应该避免|必须避免|要避免|禁用", "^ 避免").Shows("不要修改其他文件", "自动保存，免得每次手动选"),
			rule("zh.never", gate.ActNever, core.Ban, gate.Strong, "禁止|绝不|绝对不要|绝对不能|永远不要|严禁|切勿|不得|不允许").Shows("禁止提交密钥", ""),
			rule("zh.only", gate.ModOnly, core.Imperative, gate.Hint, "仅仅|只|仅|只需|只要|即可").Shows("只显示最后十条", ""),
			rule("zh.always", gate.ActAlways, core.Memory, gate.Strong, "总是|始终|每次|一律|永远|都要|统一|必须都").Shows("每次提交前都要运行测试", ""),
			rule("zh.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "以后|从现在开始|今后|往后|接下来都").Shows("以后用英文写注释", ""),
			rule("zh.remember", gate.ActAlways, core.Memory, gate.Strong, "记住|记得|牢记").Shows("记住我们用制表符", ""),
			rule("zh.should", gate.ActShould, core.Imperative, gate.Hint, "应该|應該|应当|必须|必須|需要|得是|要求").Shows("应该返回空列表", "为什么"),
			rule("zh.default", gate.ModDefault, core.Imperative, gate.Hint, "默认|預設|缺省").Shows("默认关闭", ""),
			rule("zh.want", gate.ActWant, core.Imperative, gate.Hint, "我想要|我希望|我要|希望能").Shows("我希望标题居中", ""),
			rule("zh.ensure", gate.ActEnsure, core.Imperative, gate.Hint, "确保|確保|保证|务必").Shows("确保顺序不变", ""),
			rule("zh.build", gate.ActBuild, core.ActionRequest, gate.Hint, "添加|增加|新增|加上|加一个|创建|新建|实现|写一个|编写|生成|做一个").Shows("添加一个测试", ""),
			rule("zh.update", gate.ActUpdate, core.ActionRequest, gate.Hint, "更新|修改|优化|重构|调整|完善|整理").Shows("更新文档", ""),
			rule("zh.fix", gate.ActFix, core.ActionRequest, gate.Hint, "修复|解决|处理一下|修一下|改一下").Shows("修复这个错误", ""),
			rule("zh.check", gate.ActCheck, core.ActionRequest, gate.Hint, "检查|查看|看一下|看看|测试一下|验证|调查|分析|查询|排查|审查").Shows("检查一下日志", ""),
			rule("zh.tell", gate.ActTell, core.ActionRequest, gate.Hint, "解释|说明一下|总结|告诉我|讲一下|介绍").Shows("解释这段代码", ""),
			rule("zh.run", gate.ActRun, core.ActionRequest, gate.Hint, "运行|执行|启动|安装|部署|跑一下|重启").Shows("运行测试", ""),
			rule("zh.git", gate.ActGit, core.ActionRequest, gate.Hint, "提交|推送|合并|发布|分支").Shows("提交代码", ""),
			rule("zh.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "继续|接着|下一步").Shows("继续", ""),
			rule("zh.option", gate.ActOption, core.DecisionVerb, gate.Strong, "^ 选择|選擇|选|選|走|用|就|按|先|使用|方案|选项|選項 @num|a|b|c|d", "^ ..4 方案|选项|選項 @num|a|b|c|d", "^ ..4 @num|a|b|c|d 方案").Shows("选择1", "需要 2 个方案"),
			rule("zh.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ 好的|可以|是的|对|同意|没问题|行|就这样|就这么办|按你说的|按照你说的|按你的建议|就按|嗯|合理|够用|可行|赞成|照做|改吧|开始吧|實施|实施").Shows("好的", "不好"),
			rule("zh.revert", gate.ActRevert, core.Rejection, gate.Strong, "撤销|恢复成|恢复到|回退|改回|还是改回|回到之前|还原").Shows("改回原来的版本", ""),
			rule("zh.wh", gate.AskWh, "", gate.Cue, "为什么|為什麼|什么|怎么|怎麼|如何|哪个|哪里|是否|是不是|有没有|能不能|吗|嗎|呢").Shows("为什么这么慢", "运行"),
			rule("zh.veto", gate.VetoPhrase, "", gate.Cue, "要不要|需不需要|用不用|别的|特别|区别|分别|别人|级别|类别|识别|个别|性别"),
			rule("zh.symptom", gate.CtxSymptom, "", gate.Cue, "报错|错误|失败|不行|异常|崩溃|问题|有误|不工作|没反应|不对"),
			rule("zh.praise", gate.CtxPraise, "", gate.Cue, "谢谢|很好|不错|太好了|完美|成功了|可以了"),
			rule("zh.no-change", gate.CtxNoChange, "", gate.Cue, "先不要|不要改代码|不要写代码|先别|只分析|仅分析"),
			rule("zh.colour", gate.ModColour, "", gate.Cue, "红色|绿色|蓝色|黄色|白色|黑色|灰色|颜色"),
			rule("zh.place", gate.ModPlace, "", gate.Cue, "左边|右边|上面|下面|顶部|底部|中间|旁边|里面"),
			rule("zh.docs", gate.ModDocs, "", gate.Cue, "文档|说明书|注释|readme"),
			rule("zh.plan", gate.ModPlan, "", gate.Cue, "计划|方案|思路|建议"),
		},
	}
}

// Japanese is the Japanese table.
func Japanese() gate.Table {
	return gate.Table{
		Lang:  "ja",
		Leads: words(`では じゃあ 次に まず また あと それから 今後は 私は`),
		Rules: []gate.Rule{
			rule("ja.instead-of", gate.ModInsteadOf, core.DecisionVerb, gate.Strong, "ではなく|じゃなくて|の代わりに|よりも|でなく").Shows("MySQLではなくPostgresを使う", "使う"),
			rule("ja.use", gate.ActUse, core.DecisionVerb, gate.Hint, "を使う|を使って|を使います|を使用|を採用|を利用|にしましょう|で行きましょう|でいきましょう").Shows("Redisを使ってください", ""),
			rule("ja.decide", gate.ActDecided, core.DecisionVerb, gate.Strong, "決定|に決め|にします|にしました|とします").Shows("決定: エラーは日本語にします", ""),
			rule("ja.change", gate.ActChange, core.DecisionVerb, gate.Hint, "に変更|に変え|に置き換え|に切り替え|に移行|にリネーム|に直し").Shows("赤に変更してください", "変更点は"),
			rule("ja.from-to", gate.ModFromTo, core.DecisionVerb, gate.Hint, "に変更|に変え|に置き換え|に切り替え|に移行").Shows("30 秒に変更して", ""),
			rule("ja.make", gate.ActMake, core.DecisionVerb, gate.Hint, "にして|にする|のまま|を残し|に統一|に合わせ|に揃え|で統一").Shows("名前はそのままにして", ""),
			rule("ja.show", gate.ActShow, core.DecisionVerb, gate.Hint, "を表示|と表示|を出力|を出す|を出して").Shows("最後の十件を表示する", ""),
			rule("ja.move", gate.ActMove, core.DecisionVerb, gate.Hint, "に移動|に配置|に置い|に置く|に保存|に入れて|に移し|を分割|を分けて|をまとめる").Shows("ボタンを下に移動して", ""),
			rule("ja.drop", gate.ActDrop, core.Rejection, gate.Hint, "を削除|を消し|を外し|をやめ|を取り除|を非表示").Shows("ボタンを削除して", ""),
			rule("ja.dont-need", gate.ActDontNeed, core.Rejection, gate.Hint, "は不要|は必要ない|はいらない|必要ありません|いりません").Shows("キャッシュは不要です", ""),
			rule("ja.dont", gate.ActDont, core.Ban, gate.Hint, "しないで|使わないで|ないでください|触らないで|変えないで|入れないで").Shows("他のファイルを変更しないでください", ""),
			rule("ja.never", gate.ActNever, core.Ban, gate.Strong, "禁止|決して|てはいけない|てはいけません|てはならない|てはなりません|厳禁|はダメ|はだめ", "絶対に ..14 ない|せず|しません|禁止").Shows("直接pushは禁止", "絶対に守るルール"),
			rule("ja.always", gate.ActAlways, core.Memory, gate.Strong, "常に|必ず|いつも|毎回").Shows("必ずテストを書く", ""),
			rule("ja.from-now-on", gate.ActAlways, core.Memory, gate.Strong, "今後|これからは|以後|以降は").Shows("今後は英語でコメントを書いて", ""),
			rule("ja.remember", gate.ActAlways, core.Memory, gate.Strong, "覚えて|忘れないで").Shows("これを覚えておいて", ""),
			rule("ja.should", gate.ActShould, core.Imperative, gate.Hint, "べき|なければならない|なければなりません|する必要がある|必須|ようにする|ようにして").Shows("空のリストを返すべき", ""),
			rule("ja.default", gate.ModDefault, core.Imperative, gate.Hint, "デフォルト|初期値|既定").Shows("デフォルトはオフ", ""),
			rule("ja.only", gate.ModOnly, core.Imperative, gate.Hint, "のみ|だけ").Shows("最後の十件だけ表示", ""),
			rule("ja.want", gate.ActWant, core.Imperative, gate.Hint, "したい|してほしい|して欲しい|がほしい").Shows("並べ替えできるようにしてほしい", ""),
			rule("ja.build", gate.ActBuild, core.ActionRequest, gate.Hint, "を追加|を作成|を作って|を実装|を書いて|を生成").Shows("テストを追加して", ""),
			rule("ja.update", gate.ActUpdate, core.ActionRequest, gate.Hint, "を更新|アップデート|をリファクタ|を改善|を修正").Shows("READMEを更新して", ""),
			rule("ja.fix", gate.ActFix, core.ActionRequest, gate.Hint, "を直して|を解決|に対応して|対処").Shows("バグを直して", ""),
			rule("ja.check", gate.ActCheck, core.ActionRequest, gate.Hint, "を確認|をチェック|を調べ|を見て|をレビュー|をテスト|を検証").Shows("ログを確認して", ""),
			rule("ja.tell", gate.ActTell, core.ActionRequest, gate.Hint, "を説明|教えて|をまとめて|を要約").Shows("仕組みを説明して", ""),
			rule("ja.run", gate.ActRun, core.ActionRequest, gate.Hint, "を実行|を起動|をインストール|をデプロイ").Shows("テストを実行して", ""),
			rule("ja.git", gate.ActGit, core.ActionRequest, gate.Hint, "コミット|プッシュ|マージ|プルリク").Shows("コミットして", ""),
			rule("ja.go-on", gate.ActGoOn, core.ActionRequest, gate.Hint, "続けて|続行|次へ").Shows("続けて", ""),
			rule("ja.option", gate.ActOption, core.DecisionVerb, gate.Strong, "案|プラン|パターン|オプション @num|a|b|c|d", "@num|a|b|c|d 案で|案を|番で|番を|番に", "^ @num|a|b|c|d で").Shows("案2で進めて", "2件ある"),
			rule("ja.yes", gate.ActYes, core.Confirmation, gate.Hint, "^ はい|ええ|了解|お願い|おねがい|それでお願い|承認|いいですね|やって|進めて|大丈夫|問題ない|問題ありません").Shows("はい", "いいえ"),
			rule("ja.revert", gate.ActRevert, core.Rejection, gate.Strong, "元に戻し|を戻し|取り消し|やっぱり|ロールバック").Shows("元に戻して", ""),
			rule("ja.wh", gate.AskWh, "", gate.Cue, "なぜ|どうして|どこ|何|どれ|どう|ですか|ますか|でしょうか|のか").Shows("なぜ遅いのですか", ""),
			rule("ja.symptom", gate.CtxSymptom, "", gate.Cue, "エラー|失敗|動かない|動きません|おかしい|バグ|落ちる"),
			rule("ja.praise", gate.CtxPraise, "", gate.Cue, "ありがとう|素晴らしい|完璧|いい感じ|動きました"),
		},
	}
}
