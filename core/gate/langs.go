package gate

import "github.com/memscribe/memscribe/core"

// The tables of the other languages hold the core markers: what decides,
// forbids, stands, assents, asks for work or asks. Their rules are of the
// families of the English ones and weigh the same.

// rule is a line of such a table.
func rule(id string, f Family, c core.Category, t Tier, patterns ...string) Rule {
	return Rule{ID: id, Family: f, Category: c, Tier: t, Patterns: patterns}
}

// shows gives a rule its examples.
func (r Rule) shows(must, mustNot string) Rule {
	r.Must = []string{must}
	if mustNot != "" {
		r.MustNot = []string{mustNot}
	}
	return r
}

// Chinese is the table of simplified and traditional Chinese.
func Chinese() Table {
	return Table{
		Lang:  "zh",
		Leads: words(`请 請 麻烦 帮我 幫我 我们 我們 你 我 先 再 然后 另外 还有 可以 能不能 可不可以 我想 我要 我希望 好的 好 那就 就 直接 现在`),
		Rules: []Rule{
			rule("zh.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "而不是|而非|代替|取代|替代").shows("用 Postgres 而不是 MySQL", "用 Postgres"),
			rule("zh.use", ActUse, core.DecisionVerb, Hint, "改用|采用|採用|选用|使用|就用|还是用|选择|選擇|统一用", "^ 用 @code|@name|@word", "用 @code|@name").shows("改用 Redis", "为什么"),
			rule("zh.change", ActChange, core.DecisionVerb, Hint, "改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為|设成|调整为|重命名为|命名为|改名为").shows("把标题改成红色", "改了什么"),
			rule("zh.from-to", ModFromTo, core.DecisionVerb, Hint, "改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為").shows("超时设为 30 秒", ""),
			rule("zh.drop", ActDrop, core.Rejection, Hint, "删除|删掉|刪除|去掉|移除|去除|取消|隐藏|不再支持").shows("去掉这个按钮", ""),
			rule("zh.dont-need", ActDontNeed, core.Rejection, Hint, "不需要|不用|无需|没必要|不必").shows("不需要缓存", ""),
			rule("zh.dont", ActDont, core.Ban, Hint, "不要|别|不准|不可以|不能再|不能写死|不能移除|不能删除|不能修改|不能过度|应该避免|必须避免|要避免|禁用", "^ 避免").shows("不要修改其他文件", "自动保存，免得每次手动选"),
			rule("zh.never", ActNever, core.Ban, Strong, "禁止|绝不|绝对不要|绝对不能|永远不要|严禁|切勿|不得|不允许").shows("禁止提交密钥", ""),
			rule("zh.only", ModOnly, core.Imperative, Hint, "仅仅|只|仅|只需|只要|即可").shows("只显示最后十条", ""),
			rule("zh.always", ActAlways, core.Memory, Strong, "总是|始终|每次|一律|永远|都要|统一|必须都").shows("每次提交前都要运行测试", ""),
			rule("zh.from-now-on", ActAlways, core.Memory, Strong, "以后|从现在开始|今后|往后|接下来都").shows("以后用英文写注释", ""),
			rule("zh.remember", ActAlways, core.Memory, Strong, "记住|记得|牢记").shows("记住我们用制表符", ""),
			rule("zh.should", ActShould, core.Imperative, Hint, "应该|應該|应当|必须|必須|需要|得是|要求").shows("应该返回空列表", "为什么"),
			rule("zh.default", ModDefault, core.Imperative, Hint, "默认|預設|缺省").shows("默认关闭", ""),
			rule("zh.want", ActWant, core.Imperative, Hint, "我想要|我希望|我要|希望能").shows("我希望标题居中", ""),
			rule("zh.ensure", ActEnsure, core.Imperative, Hint, "确保|確保|保证|务必").shows("确保顺序不变", ""),
			rule("zh.build", ActBuild, core.ActionRequest, Hint, "添加|增加|新增|加上|加一个|创建|新建|实现|写一个|编写|生成|做一个").shows("添加一个测试", ""),
			rule("zh.update", ActUpdate, core.ActionRequest, Hint, "更新|修改|优化|重构|调整|完善|整理").shows("更新文档", ""),
			rule("zh.fix", ActFix, core.ActionRequest, Hint, "修复|解决|处理一下|修一下|改一下").shows("修复这个错误", ""),
			rule("zh.check", ActCheck, core.ActionRequest, Hint, "检查|查看|看一下|看看|测试一下|验证|调查|分析|查询|排查|审查").shows("检查一下日志", ""),
			rule("zh.tell", ActTell, core.ActionRequest, Hint, "解释|说明一下|总结|告诉我|讲一下|介绍").shows("解释这段代码", ""),
			rule("zh.run", ActRun, core.ActionRequest, Hint, "运行|执行|启动|安装|部署|跑一下|重启").shows("运行测试", ""),
			rule("zh.git", ActGit, core.ActionRequest, Hint, "提交|推送|合并|发布|分支").shows("提交代码", ""),
			rule("zh.go-on", ActGoOn, core.ActionRequest, Hint, "继续|接着|下一步").shows("继续", ""),
			rule("zh.yes", ActYes, core.Confirmation, Hint, "^ 好的|可以|是的|对|同意|没问题|行|就这样|就这么办|按你说的|按照你说的|按你的建议|就按|嗯|合理|够用|可行|赞成|照做|改吧|开始吧|實施|实施").shows("好的", "不好"),
			rule("zh.revert", ActRevert, core.Rejection, Strong, "撤销|恢复成|恢复到|回退|改回|还是改回|回到之前|还原").shows("改回原来的版本", ""),
			rule("zh.wh", AskWh, "", Cue, "为什么|為什麼|什么|怎么|怎麼|如何|哪个|哪里|是否|是不是|有没有|能不能|吗|嗎|呢").shows("为什么这么慢", "运行"),
			rule("zh.veto", VetoPhrase, "", Cue, "要不要|需不需要|用不用|别的|特别|区别|分别|别人|级别|类别|识别|个别|性别"),
			rule("zh.symptom", CtxSymptom, "", Cue, "报错|错误|失败|不行|异常|崩溃|问题|有误|不工作|没反应|不对"),
			rule("zh.praise", CtxPraise, "", Cue, "谢谢|很好|不错|太好了|完美|成功了|可以了"),
			rule("zh.no-change", CtxNoChange, "", Cue, "先不要|不要改代码|不要写代码|先别|只分析|仅分析"),
			rule("zh.colour", ModColour, "", Cue, "红色|绿色|蓝色|黄色|白色|黑色|灰色|颜色"),
			rule("zh.place", ModPlace, "", Cue, "左边|右边|上面|下面|顶部|底部|中间|旁边|里面"),
			rule("zh.docs", ModDocs, "", Cue, "文档|说明书|注释|readme"),
			rule("zh.plan", ModPlan, "", Cue, "计划|方案|思路|建议"),
		},
	}
}

// Japanese is the Japanese table.
func Japanese() Table {
	return Table{
		Lang:  "ja",
		Leads: words(`では じゃあ 次に まず また あと それから 今後は 私は`),
		Rules: []Rule{
			rule("ja.instead-of", ModInsteadOf, core.DecisionVerb, Strong, "ではなく|じゃなくて|の代わりに|よりも|でなく").shows("MySQLではなくPostgresを使う", "使う"),
			rule("ja.use", ActUse, core.DecisionVerb, Hint, "を使う|を使って|を使います|を使用|を採用|を利用|にしましょう|で行きましょう|でいきましょう").shows("Redisを使ってください", ""),
			rule("ja.decide", ActDecided, core.DecisionVerb, Strong, "決定|に決め|にします|にしました|とします").shows("決定: エラーは日本語にします", ""),
			rule("ja.change", ActChange, core.DecisionVerb, Hint, "に変更|に変え|に置き換え|に切り替え|に移行|にリネーム|に直し").shows("赤に変更してください", "変更点は"),
			rule("ja.drop", ActDrop, core.Rejection, Hint, "を削除|を消し|を外し|をやめ|を取り除|を非表示").shows("ボタンを削除して", ""),
			rule("ja.dont-need", ActDontNeed, core.Rejection, Hint, "は不要|は必要ない|はいらない|必要ありません|いりません").shows("キャッシュは不要です", ""),
			rule("ja.dont", ActDont, core.Ban, Hint, "しないで|使わないで|ないでください|触らないで|変えないで|入れないで").shows("他のファイルを変更しないでください", ""),
			rule("ja.never", ActNever, core.Ban, Strong, "禁止|決して|てはいけない|てはいけません|てはならない|てはなりません|厳禁|はダメ|はだめ", "絶対に ..14 ない|せず|しません|禁止").shows("直接pushは禁止", "絶対に守るルール"),
			rule("ja.always", ActAlways, core.Memory, Strong, "常に|必ず|いつも|毎回").shows("必ずテストを書く", ""),
			rule("ja.from-now-on", ActAlways, core.Memory, Strong, "今後|これからは|以後|以降は").shows("今後は英語でコメントを書いて", ""),
			rule("ja.remember", ActAlways, core.Memory, Strong, "覚えて|忘れないで").shows("これを覚えておいて", ""),
			rule("ja.should", ActShould, core.Imperative, Hint, "べき|なければならない|なければなりません|する必要がある|必須|ようにする|ようにして").shows("空のリストを返すべき", ""),
			rule("ja.default", ModDefault, core.Imperative, Hint, "デフォルト|初期値|既定").shows("デフォルトはオフ", ""),
			rule("ja.want", ActWant, core.Imperative, Hint, "したい|してほしい|して欲しい|がほしい").shows("並べ替えできるようにしてほしい", ""),
			rule("ja.build", ActBuild, core.ActionRequest, Hint, "を追加|を作成|を作って|を実装|を書いて|を生成").shows("テストを追加して", ""),
			rule("ja.update", ActUpdate, core.ActionRequest, Hint, "を更新|アップデート|をリファクタ|を改善|を修正").shows("READMEを更新して", ""),
			rule("ja.fix", ActFix, core.ActionRequest, Hint, "を直して|を解決|に対応して|対処").shows("バグを直して", ""),
			rule("ja.check", ActCheck, core.ActionRequest, Hint, "を確認|をチェック|を調べ|を見て|をレビュー|をテスト|を検証").shows("ログを確認して", ""),
			rule("ja.tell", ActTell, core.ActionRequest, Hint, "を説明|教えて|をまとめて|を要約").shows("仕組みを説明して", ""),
			rule("ja.run", ActRun, core.ActionRequest, Hint, "を実行|を起動|をインストール|をデプロイ").shows("テストを実行して", ""),
			rule("ja.git", ActGit, core.ActionRequest, Hint, "コミット|プッシュ|マージ|プルリク").shows("コミットして", ""),
			rule("ja.go-on", ActGoOn, core.ActionRequest, Hint, "続けて|続行|次へ").shows("続けて", ""),
			rule("ja.yes", ActYes, core.Confirmation, Hint, "^ はい|ええ|了解|お願い|おねがい|それでお願い|承認|いいですね|やって|進めて|大丈夫|問題ない|問題ありません").shows("はい", "いいえ"),
			rule("ja.revert", ActRevert, core.Rejection, Strong, "元に戻し|を戻し|取り消し|やっぱり|ロールバック").shows("元に戻して", ""),
			rule("ja.wh", AskWh, "", Cue, "なぜ|どうして|どこ|何|どれ|どう|ですか|ますか|でしょうか|のか").shows("なぜ遅いのですか", ""),
			rule("ja.symptom", CtxSymptom, "", Cue, "エラー|失敗|動かない|動きません|おかしい|バグ|落ちる"),
			rule("ja.praise", CtxPraise, "", Cue, "ありがとう|素晴らしい|完璧|いい感じ|動きました"),
		},
	}
}
