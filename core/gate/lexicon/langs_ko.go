package lexicon

import (
	"strings"

	"github.com/memscribe/memscribe/core/gate"
)

// Korean returns the Korean table. A Korean word carries its endings, so the table lists what
// verbs are in an order or a proposal: 변경해줘, 변경하자, 변경해야. Questions and reports have other endings.
func Korean() gate.Table {
	return gate.Table{
		Lang: "ko",
		Rules: rules(`
ko.instead-of	mod.instead-of	decision_verb	strong	대신|대신에|말고|아니라|보다는	MySQL 대신 Postgres 를 사용해줘	사용해줘
ko.use	act.use	decision_verb	hint	does: 사용 이용 활용 채택 도입 적용 / 써 써줘 써야 써서 쓰자 쓰고 쓰며 쓰도록 쓰세요 써주세요 써보자	Redis 를 사용해줘	사용법이 뭐야
ko.decide	act.decided	decision_verb	strong	하자|가자|갑시다|합시다|정하자|하기로|결정했어|결정|할게|가는_걸로|하는_걸로	두 번째 안으로 가자
ko.change	act.change	decision_verb	hint	does: 변경 교체 전환 대체 설정 지정 조정 변환 통일 통합 결합 고정 유지 정렬 / 합쳐 합쳐줘 합치고 합치자 나눠 나눠줘 나누고 나누자 막아 막아줘 막고 막자 막아야 맞춰줘 맞추자 바꿔 바꿔줘 바꿔야 바꾸자 바꾸고 바꾸도록 바꿔주세요 바꿔서	제목을 빨간색으로 바꿔줘	변경 사항
ko.move	act.move	decision_verb	hint	does: 이동 배치 저장 분리 / 옮기도록 옮겨 옮겨줘 옮기자 옮기고 옮겨주세요 둬 두자 놔둬	버튼을 아래로 옮겨줘
ko.show	act.show	decision_verb	hint	does: 표시 출력 노출 반영 / 보이게끔 보여야 보이게 보이도록 나오게 나오도록 띄워줘	마지막 열 줄을 표시해줘
ko.drop	act.drop	rejection	hint	does: 삭제 제거 제외 취소 생략 만료 무효화 보류 / 빼버려 빼버리자 없애버려 날려줘 패스 빼 빼줘 빼고 빼자 빼주세요 지워 지워줘 지우고 지우자 지워주세요 없애 없애줘 없애고 없애자 숨겨줘 숨기고 버리자	이 버튼을 삭제해줘
ko.dont-need	act.dont-need	rejection	hint	필요없어|필요없다|필요없음|필요없고|필요_없어|필요_없다|필요_없고|필요는_없어|불필요|안해도|안_해도|하지_않아도|없어도	캐시는 필요없어
ko.dont	act.dont	ban	hint	forms: 하지 쓰지 바꾸지 건드리지 건들지 손대지 만들지 넣지 지우지 고치지 덮어쓰지 출력하지 포함하지 호출하지 설치하지 작성하지 추가하지 수정하지 사용하지 변경하지 삭제하지 생성하지 커밋하지 푸시하지 실행하지 / 마 마라 마세요 말고 말것 말아 말아줘 말자 마십시오 _마 _마라 _마세요 _말고 _말것 _말_것 _말아 _말아줘 _말자 _마십시오 _말아주세요 _말도록 ; 마|마라|마세요|말아줘|말아주세요|말자|마십시오|말것|말도록	다른 파일은 수정하지 마	파일을 수정해줘
ko.never	act.never	ban	strong	금지|금지하고|금지하며|금지한다|금지합니다|금지해|절대_금지|안_된다|하면_안_돼|하면_안돼|하면_안됨|하면_안_됩니다|해서는_안 ; 절대|절대로 ..6 마|마라|마세요|말고|말아줘|말자|말것|마십시오|않는다|않기|안	직접 push 는 금지	절대 경로로 바꿔줘
ko.only	mod.only	imperative	hint	오직|만	오직 열 줄
ko.always	act.always	memory	strong	항상|언제나|매번|반드시|무조건	항상 테스트를 작성해
ko.from-now-on	act.always	memory	strong	앞으로|앞으로는|이제부터|지금부터|이후로는|다음부터|다음부터는	앞으로는 영어로 주석을 써줘
ko.remember	act.always	memory	strong	기억해|기억해줘|기억해둬|기억하고|명심해|잊지_마|잊지마	이걸 기억해줘
ko.should	act.should	imperative	hint	해야|해야해|해야돼|해야함|해야한다|되어야|돼야|있어야|있어야해|있어야해요|있어야돼|있어야함|있어야한다|있어야합니다|여야|여야해|여야함|이어야|나와야|나와야해|나와야함|안_나와야|필수|필수로|되도록|하도록|있도록|않도록|되게|하게|필요해|필요합니다|필요하다	빈 목록이 나와야 해	왜
ko.default	mod.default	imperative	hint	기본값|기본값은|기본값을|기본값으로|기본으로|기본적으로|디폴트|디폴트로|디폴트는	기본값은 꺼짐
ko.want	act.want	imperative	hint	싶어|싶어요|싶습니다|싶은데|싶다|원해|원해요|원합니다|좋겠어|좋겠어요|좋겠습니다|좋겠다|좋겠네|좋겠는데|바랍니다|했으면|됐으면|될듯|될_듯|될듯해|좋을듯|좋을_듯|나을듯|좋을거_같아|좋을_거_같아|좋을_것_같아|좋을것_같아|낫지_않아|낫지않아|해야할듯|해야할_듯|해야할_것_같아	정렬할 수 있으면 좋겠어
ko.prefer	act.prefer	decision_verb	strong	낫겠다|낫겠어|낫겠네|나을_것|선호해|선호합니다|차라리	파일 하나로 하는 게 낫겠다
ko.build	act.build	action_request	hint	does: 추가 생성 구현 작성 개발 구성 등록 / 만들어보자 만들면 만들어 만들어줘 만들자 만들고 만들어주세요 만들어야 넣어 넣어줘 넣자 넣고 넣어주세요 붙여줘	테스트를 추가해줘
ko.update	act.update	action_request	hint	does: 업데이트 수정 개선 리팩토링 리팩터링 최적화 갱신 정리 보완 반영 / 다듬어줘	문서를 업데이트해줘
ko.fix	act.fix	action_request	hint	does: 해결 처리 / 고쳐 고쳐줘 고치고 고치자 고쳐주세요 잡아줘	버그를 고쳐줘
ko.check	act.check	action_request	hint	does: 확인 검토 점검 테스트 검증 분석 조사 체크 리뷰 파악 / 봐 봐줘 봐주세요 살펴봐 살펴봐줘 찾아줘 찾아봐 읽어줘 읽어봐 읽고 알아봐	로그를 확인해줘
ko.tell	act.tell	action_request	hint	does: 설명 요약 제안 추천 / 알려줘 알려주세요 말해줘 말해봐 보여줘 가르쳐줘	구조를 설명해줘
ko.run	act.run	action_request	hint	does: 실행 설치 배포 빌드 재시작 / 돌려줘 돌려봐 켜줘	테스트를 실행해줘
ko.git	act.git	action_request	hint	does: 커밋 푸시 푸쉬 머지 병합 / 커밋 푸시	커밋해줘
ko.go-on	act.go-on	action_request	hint	계속|계속해|계속해줘|이어서|다음_단계	계속해줘
ko.option	act.option	decision_verb	strong	방법|옵션|방안|안|번|번으로|번째 @num|a|b|c|d ; @num|a|b|c|d 번|번으로|안으로|안|방법|옵션	방법 2 로 하자
ko.yes	act.yes	confirmation	hint	^ 네|넵|예|응|어|ㅇㅇ|ㅇㅋ|오케이|그러자|그렇게해|그렇게해줘|좋아|좋아요|좋습니다|그래|그렇게|진행해|진행해줘|승인|동의	네	아니요
ko.revert	act.revert	rejection	strong	does: 원복 롤백 복구 복원 / 되돌려 되돌려줘 되돌리자 되돌리고 되돌려주세요 원래대로	원래대로 되돌려줘
ko.wh	ask.wh	-	cue	왜|어떻게|뭐|뭐야|뭐지|뭔가|뭔지|무엇|무슨|어디|어느|어떤|언제|누가|얼마나|인가|인가요|일까|할까|될까|건가|건가요|거야|어때|있나|되나|맞나|않나|아닌가|가능해|가능한가	왜 이렇게 느려
ko.veto	veto.phrase	-	cue	걱정하지|걱정_마|걱정_말|신경_쓰지|신경쓰지|잊지
ko.symptom	ctx.symptom	-	cue	에러|에러가|오류|오류가|오류야|실패|실패했어|버그|버그가|문제|문제가|안돼|안되네|안되는데|안_되네|안_나와|안나와|이상해|깨져|안됨|멈춰
ko.praise	ctx.praise	-	cue	고마워|감사|감사합니다|좋네|잘했어|완벽|완벽해|훌륭해|잘된다|잘돼
ko.colour	mod.colour	-	cue	빨간색|파란색|초록색|흰색|검은색|회색|노란색|색상|색상을|색으로|배경색
ko.place	mod.place	-	cue	왼쪽|왼쪽에|오른쪽|오른쪽에|위에|위로|아래|아래에|아래로|하단|하단에|상단|상단에|가운데|중앙|중앙에|옆에|안에|밑에
ko.bound	mod.bound	-	cue	최대|최소|이상|이하|이내|이내로
ko.docs	mod.docs	-	cue	문서|문서를|문서에|문서로|주석|주석을|readme
ko.plan	mod.plan	-	cue	계획|계획을|방안|방안을|제안|아이디어
ko.can-you	ctx.can-you	-	cue	줄래|수_있어|수_있을까|수_있나|수_있나요|줄_수
ko.please	ctx.please	-	cue	부탁|부탁해|부탁해요|부탁드립니다
ko.still	ctx.still	-	cue	여전히|아직|아직도
ko.think	ctx.think	-	cue	같아|같은데|같아요|같습니다|생각해|생각에는|생각이야`),
	}
}

// does lists the forms in which nouns and 하다 order or propose something, and further words.
func does(nouns, words string) string {
	return forms(nouns, "해 해줘 해줘요 해주세요 해주고 해주면 해줬으면 해라 하세요 하십시오 하자 합시다 해보자 해봅시다 해볼까 하고 하며 하되 하도록 하게 해야 해야해 해야해요 해야돼 해야함 해야한다 해야할듯 해서 했으면 되도록 되게 되게끔 되어야 돼야 _해줘 _해주세요 _하고 _하자 _해보자 _부탁해 _필요 _요청") + "|" + strings.Join(strings.Fields(words), "|")
}

// forms lists stems with each of some endings.
func forms(stems, endings string) string {
	var out strings.Builder
	out.Grow((1+strings.Count(endings, " "))*(1+len(stems)) + (1+strings.Count(stems, " "))*(1+len(endings)))
	for s := range strings.FieldsSeq(stems) {
		for e := range strings.FieldsSeq(endings) {
			if out.Len() > 0 {
				out.WriteByte('|')
			}
			out.WriteString(s)
			out.WriteString(e)
		}
	}
	return out.String()
}
