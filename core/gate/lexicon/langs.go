package lexicon

import (
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/gate"
)

// The tables of the other languages hold the core markers: what decides,
// forbids, stands, assents, asks for work or asks. Their rules are of the
// families of the English ones and weigh the same.

// rules reads the rules of such a table, one a line, with tabs between: the id (the language and the family, as
// "zh.use"), the family, the category or "-", the tier, the patterns with " ; " between, a sentence that it
// must match, and one that it must not. As text a table is a fourth of what it is as code.
//
// A pattern "does: A B / C D" has the forms of Korean verbs ([does]), "forms: A B / C D" each of A and B with each of C and D.
//
// A line that is wrong gives a rule that [gate.New] refuses.
func rules(text string) []gate.Rule {
	out := make([]gate.Rule, 0, 2*strings.Count(text, "\n")) // cues follow
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		const least = 5
		if len(f) < least {
			continue
		}
		r := gate.Rule{ID: f[0]}
		r.Family, _ = gate.FamilyNamed(f[1])
		if f[2] != "-" {
			r.Category = core.Category(f[2])
		}
		switch f[3] {
		case "strong":
			r.Tier = gate.Strong
		case "hint":
			r.Tier = gate.Hint
		}
		for p := range strings.SplitSeq(f[4], " ; ") {
			kind, rest, _ := strings.Cut(p, ": ")
			stems, endings, _ := strings.Cut(rest, " / ")
			switch kind {
			case "does":
				p = does(stems, endings)
			case "forms":
				p = forms(stems, endings)
			}
			r.Patterns = append(r.Patterns, p)
		}
		switch f = f[least:]; len(f) {
		case 1:
			r = r.Shows(f[0], "")
		case 2:
			r = r.Shows(f[0], f[1])
		}
		out = append(out, r)
	}
	return out
}

// Chinese returns the table of simplified and traditional Chinese.
func Chinese() gate.Table {
	return gate.Table{
		Lang:  "zh",
		Leads: words(`请 請 麻烦 帮我 幫我 我们 我們 你 我 先 再 然后 另外 还有 可以 能不能 可不可以 我想 我要 我希望 好的 好 那就 就 直接 现在`),
		Rules: rules(`
zh.instead-of	mod.instead-of	decision_verb	strong	而不是|而非|代替|取代|替代	用 Postgres 而不是 MySQL	用 Postgres
zh.use	act.use	decision_verb	hint	改用|采用|採用|选用|使用|就用|还是用|选择|選擇|统一用 ; ^ 用 @code|@name|@word ; 用 @code|@name	改用 Redis	为什么
zh.change	act.change	decision_verb	hint	改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為|设成|调整为|重命名为|命名为|改名为	把标题改成红色	改了什么
zh.make	act.make	decision_verb	hint	保留|保持|沿用|做成|变成	保留旧的名字
zh.show	act.show	decision_verb	hint	显示|展示|顯示	显示最后十条
zh.move	act.move	decision_verb	hint	移到|移动到|放到|放在|移至|挪到|放入|存到|保存到|拆分|拆成|合并成|合并到	把按钮移到下面
zh.from-to	mod.from-to	decision_verb	hint	改成|改为|改為|换成|換成|替换成|替换为|设为|设置为|設為	超时设为 30 秒
zh.drop	act.drop	rejection	hint	删除|删掉|刪除|去掉|移除|去除|取消|隐藏|不再支持	去掉这个按钮
zh.dont-need	act.dont-need	rejection	hint	不需要|不用|无需|没必要|不必	不需要缓存
zh.dont	act.dont	ban	hint	不要|别|不准|不可以|不能再|不能写死|不能移除|不能删除|不能修改|不能过度|应该避免|必须避免|要避免|禁用 ; ^ 避免	不要修改其他文件	自动保存，免得每次手动选
zh.never	act.never	ban	strong	禁止|绝不|绝对不要|绝对不能|永远不要|严禁|切勿|不得|不允许	禁止提交密钥
zh.only	mod.only	imperative	hint	仅仅|只|仅|只需|只要|即可	只显示最后十条
zh.always	act.always	memory	strong	总是|始终|每次|一律|永远|都要|统一|必须都	每次提交前都要运行测试
zh.from-now-on	act.always	memory	strong	以后|从现在开始|今后|往后|接下来都	以后用英文写注释
zh.remember	act.always	memory	strong	记住|记得|牢记	记住我们用制表符
zh.should	act.should	imperative	hint	应该|應該|应当|必须|必須|需要|得是|要求	应该返回空列表	为什么
zh.default	mod.default	imperative	hint	默认|預設|缺省	默认关闭
zh.want	act.want	imperative	hint	我想要|我希望|我要|希望能	我希望标题居中
zh.ensure	act.ensure	imperative	hint	确保|確保|保证|务必	确保顺序不变
zh.build	act.build	action_request	hint	添加|增加|新增|加上|加一个|创建|新建|实现|写一个|编写|生成|做一个	添加一个测试
zh.update	act.update	action_request	hint	更新|修改|优化|重构|调整|完善|整理	更新文档
zh.fix	act.fix	action_request	hint	修复|解决|处理一下|修一下|改一下	修复这个错误
zh.check	act.check	action_request	hint	检查|查看|看一下|看看|测试一下|验证|调查|分析|查询|排查|审查	检查一下日志
zh.tell	act.tell	action_request	hint	解释|说明一下|总结|告诉我|讲一下|介绍	解释这段代码
zh.run	act.run	action_request	hint	运行|执行|启动|安装|部署|跑一下|重启	运行测试
zh.git	act.git	action_request	hint	提交|推送|合并|发布|分支	提交代码
zh.go-on	act.go-on	action_request	hint	继续|接着|下一步	继续
zh.option	act.option	decision_verb	strong	^ 选择|選擇|选|選|走|用|就|按|先|使用|方案|选项|選項 @num|a|b|c|d ; ^ ..4 方案|选项|選項 @num|a|b|c|d ; ^ ..4 @num|a|b|c|d 方案	选择1	需要 2 个方案
zh.yes	act.yes	confirmation	hint	^ 好的|可以|是的|对|同意|没问题|行|就这样|就这么办|按你说的|按照你说的|按你的建议|就按|嗯|合理|够用|可行|赞成|照做|改吧|开始吧|實施|实施	好的	不好
zh.revert	act.revert	rejection	strong	撤销|恢复成|恢复到|回退|改回|还是改回|回到之前|还原	改回原来的版本
zh.wh	ask.wh	-	cue	为什么|為什麼|什么|怎么|怎麼|如何|哪个|哪里|是否|是不是|有没有|能不能|吗|嗎|呢	为什么这么慢	运行
zh.veto	veto.phrase	-	cue	要不要|需不需要|用不用|别的|特别|区别|分别|别人|级别|类别|识别|个别|性别|不要担心|别担心|不用担心|不要着急|别着急|别急|别忘|不要忘|不要紧|不要误会
zh.symptom	ctx.symptom	-	cue	报错|错误|失败|不行|异常|崩溃|问题|有误|不工作|没反应|不对
zh.praise	ctx.praise	-	cue	谢谢|很好|不错|太好了|完美|成功了|可以了
zh.no-change	ctx.no-change	-	cue	先不要|不要改代码|不要写代码|先别|只分析|仅分析
zh.colour	mod.colour	-	cue	红色|绿色|蓝色|黄色|白色|黑色|灰色|颜色
zh.place	mod.place	-	cue	左边|右边|上面|下面|顶部|底部|中间|旁边|里面
zh.docs	mod.docs	-	cue	文档|说明书|注释|readme
zh.plan	mod.plan	-	cue	计划|方案|思路|建议`),
	}
}

// Japanese returns the Japanese table.
func Japanese() gate.Table {
	return gate.Table{
		Lang:  "ja",
		Leads: words(`では じゃあ 次に まず また あと それから 今後は 私は`),
		Rules: rules(`
ja.instead-of	mod.instead-of	decision_verb	strong	ではなく|じゃなくて|の代わりに|よりも|でなく	MySQLではなくPostgresを使う	使う
ja.use	act.use	decision_verb	hint	を使う|を使って|を使います|を使用|を採用|を利用|にしましょう|で行きましょう|でいきましょう	Redisを使ってください
ja.decide	act.decided	decision_verb	strong	決定|に決め|にします|にしました|とします	決定: エラーは日本語にします
ja.change	act.change	decision_verb	hint	に変更|に変え|に置き換え|に切り替え|に移行|にリネーム|に直し	赤に変更してください	変更点は
ja.from-to	mod.from-to	decision_verb	hint	に変更|に変え|に置き換え|に切り替え|に移行	30 秒に変更して
ja.make	act.make	decision_verb	hint	にして|にする|のまま|を残し|に統一|に合わせ|に揃え|で統一	名前はそのままにして
ja.show	act.show	decision_verb	hint	を表示|と表示|を出力|を出す|を出して	最後の十件を表示する
ja.move	act.move	decision_verb	hint	に移動|に配置|に置い|に置く|に保存|に入れて|に移し|を分割|を分けて|をまとめる	ボタンを下に移動して
ja.drop	act.drop	rejection	hint	を削除|を消し|を外し|をやめ|を取り除|を非表示	ボタンを削除して
ja.dont-need	act.dont-need	rejection	hint	は不要|は必要ない|はいらない|必要ありません|いりません	キャッシュは不要です
ja.dont	act.dont	ban	hint	しないで|使わないで|ないでください|触らないで|変えないで|入れないで	他のファイルを変更しないでください
ja.never	act.never	ban	strong	禁止|決して|てはいけない|てはいけません|てはならない|てはなりません|厳禁|はダメ|はだめ ; 絶対に ..14 ない|せず|しません|禁止	直接pushは禁止	絶対に守るルール
ja.always	act.always	memory	strong	常に|必ず|いつも|毎回	必ずテストを書く
ja.from-now-on	act.always	memory	strong	今後|これからは|以後|以降は	今後は英語でコメントを書いて
ja.remember	act.always	memory	strong	覚えて|忘れないで	これを覚えておいて
ja.should	act.should	imperative	hint	べき|なければならない|なければなりません|する必要がある|必須|ようにする|ようにして	空のリストを返すべき
ja.default	mod.default	imperative	hint	デフォルト|初期値|既定	デフォルトはオフ
ja.only	mod.only	imperative	hint	のみ|だけ	最後の十件だけ表示
ja.want	act.want	imperative	hint	したい|してほしい|して欲しい|がほしい	並べ替えできるようにしてほしい
ja.build	act.build	action_request	hint	を追加|を作成|を作って|を実装|を書いて|を生成	テストを追加して
ja.update	act.update	action_request	hint	を更新|アップデート|をリファクタ|を改善|を修正	READMEを更新して
ja.fix	act.fix	action_request	hint	を直して|を解決|に対応して|対処	バグを直して
ja.check	act.check	action_request	hint	を確認|をチェック|を調べ|を見て|をレビュー|をテスト|を検証	ログを確認して
ja.tell	act.tell	action_request	hint	を説明|教えて|をまとめて|を要約	仕組みを説明して
ja.run	act.run	action_request	hint	を実行|を起動|をインストール|をデプロイ	テストを実行して
ja.git	act.git	action_request	hint	コミット|プッシュ|マージ|プルリク	コミットして
ja.go-on	act.go-on	action_request	hint	続けて|続行|次へ	続けて
ja.option	act.option	decision_verb	strong	案|プラン|パターン|オプション @num|a|b|c|d ; @num|a|b|c|d 案で|案を|番で|番を|番に ; ^ @num|a|b|c|d で	案2で進めて	2件ある
ja.yes	act.yes	confirmation	hint	^ はい|ええ|了解|お願い|おねがい|それでお願い|承認|いいですね|やって|進めて|大丈夫|問題ない|問題ありません	はい	いいえ
ja.revert	act.revert	rejection	strong	元に戻し|を戻し|取り消し|やっぱり|ロールバック	元に戻して
ja.wh	ask.wh	-	cue	なぜ|どうして|どこ|何|どれ|どう|ですか|ますか|でしょうか|のか	なぜ遅いのですか
ja.veto	veto.phrase	-	cue	心配しないで|気にしないで|忘れないで|慌てないで
ja.symptom	ctx.symptom	-	cue	エラー|失敗|動かない|動きません|おかしい|バグ|落ちる
ja.praise	ctx.praise	-	cue	ありがとう|素晴らしい|完璧|いい感じ|動きました`),
	}
}
