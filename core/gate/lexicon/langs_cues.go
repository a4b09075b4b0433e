package lexicon

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/gate"
)

// addCues adds the cues of its language to each table: what the English table has in
// [englishDetails] and [englishCues]. A cue marks nothing; what it weighs is learnt from all languages.
func addCues(tables []gate.Table) {
	family := gate.NoFamily
	for line := range strings.Lines(cues) {
		lang, words, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok {
			family, _ = gate.FamilyNamed(lang)
			continue
		}
		at := slices.IndexFunc(tables, func(t gate.Table) bool { return t.Lang == lang })
		if at < 0 {
			continue
		}
		pattern := strings.ReplaceAll(words, " ", "|")
		switch {
		case family == gate.ModUnit:
			pattern = "@num " + pattern
		case lang == "ko" && family.IsMod():
			pattern = forms(words, "을 를 이 가 은 는 에 로 으로 의 도 만 에서") + "|" + pattern
		}
		tables[at].Rules = append(tables[at].Rules, gate.Rule{ID: lang + "." + family.String(), Family: family, Tier: gate.Cue, Patterns: []string{pattern}})
	}
}

// cues are the words of each family, by language. Of Korean nouns the forms with a particle are added.
const cues = `mod.product
zh 按钮 页面 界面 表格 表单 列表 字段 文本 文字 图片 菜单 视图 图表 标签 用户 名称 消息 格式 标题 接口 参数 选项 配置 命令 弹窗 卡片 输入 输出 图标 数据
ja ボタン ページ 画面 テーブル 一覧 リスト フィールド 項目 テキスト 画像 メニュー グラフ ラベル ユーザー 名前 メッセージ フォーマット 形式 タイトル オプション 設定 コマンド ダイアログ カード タブ 入力 出力 アイコン パラメータ
ko 버튼 페이지 화면 테이블 목록 리스트 필드 항목 텍스트 이미지 메뉴 그래프 라벨 사용자 유저 이름 메시지 형식 제목 옵션 설정 명령 카드 탭 입력 출력 아이콘 데이터 값
ru кнопка кнопку кнопки страница страницу странице таблица таблицу таблице список списке поле поля текст картинка меню форма форму экран график пользователь пользователя имя сообщение сообщения формат значение заголовок строка строки настройки опция параметр команда окно карточка карточку вкладка вкладку иконка иконку
de schaltfläche seite tabelle spalte spalten zeile zeilen liste feld felder bild menü formular ansicht diagramm benutzer meldung wert werte titel endpunkt einstellung befehl karte eingabe ausgabe knopf
fr bouton boutons tableau colonne colonnes ligne lignes liste champ champs texte formulaire vue écran graphique utilisateur utilisateurs nom valeur valeurs titre paramètre commande boîte carte onglet dialogue icône
es botón botones página pantalla tabla columna columnas fila filas lista campo campos texto imagen menú formulario vista gráfico usuario usuarios nombre mensaje formato valor valores título opción configuración comando caja tarjeta pestaña icono
pt botão botões página tela tabela coluna colunas linha linhas lista campo campos texto imagem formulário gráfico usuário usuários nome mensagem formato valor valores título opção configuração comando caixa cartão aba ícone
it pulsante pulsanti pagina schermata tabella colonna colonne riga righe lista campo campi testo immagine vista grafico utente utenti nome messaggio formato valore valori titolo opzione comando scheda icona
mod.vcs
zh 分支 仓库 提交 推送
ja ブランチ リポジトリ コミット プッシュ マージ
ko 브랜치 커밋 푸시 저장소 머지
ru ветка ветку ветке репозиторий коммит коммиты гит
fr dépôt branche
es rama repositorio
pt repositório
mod.tests
zh 测试 单测 用例
ja テスト
ko 테스트
ru тест тесты тестов тестами
es prueba pruebas
pt testes
mod.docs
ja ドキュメント 文書 仕様書 コメント
de dokumentation doku anleitung
fr documentation
es documentación
pt documentação
it documentazione
mod.plan
ja 計画 プラン 方針 提案
de vorschlag idee
fr idée proposition
es idea propuesta
pt plano ideia proposta
it piano proposta
mod.file
zh 文件 目录 文件夹 路径 代码 项目 脚本
ja ファイル フォルダ ディレクトリ パス コード プロジェクト スクリプト
ko 파일 폴더 경로 코드 프로젝트 스크립트
ru файл файлы файла файле папка папку папке код кода коде проект проекта проекте скрипт
de datei dateien ordner verzeichnis pfad projekt skript
fr fichier fichiers dossier répertoire chemin projet
es archivo archivos carpeta directorio ruta código proyecto
pt arquivo arquivos pasta diretório caminho código projeto
it cartella percorso codice progetto
mod.unit
zh 秒 分钟 小时 天 像素 条 次 行 列 页 个 倍
ja 秒 分 時間 日 件 回 行 列 個 文字 ピクセル
ko 초 분 시간 일 개 번 줄 자 픽셀 배 회
ru секунд секунды минут минуты часа часов дней дня раз раза строк символов пикселей процентов
de sekunden stunden tage zeichen zeilen
fr secondes heures jours caractères lignes fois
es segundos horas días caracteres líneas veces
pt segundos horas dias caracteres linhas vezes
it secondi ore giorni caratteri righe volte
mod.when
zh 如果 的时候 一旦 之后 之前 直到 除非
ja とき 時に 場合 たら 後に 前に
ko 때 때는 때마다 경우 경우에 경우는 만약 전에 후에 까지 하면 누르면 되면 없으면 있으면 클릭하면
ru если когда после при пока
de wenn falls sobald nachdem bevor solange
fr si quand lorsque après avant dès_que
es si cuando después antes hasta mientras
pt se quando depois antes até enquanto
it se quando dopo prima
mod.so-that
zh 以便 从而 为了
ja ように ために
ko 위해 위해서
de damit sodass
fr pour_que afin_de afin_que
es para_que de_forma_que
pt para_que de_forma_que
it in_modo_che così_da
mod.bound
zh 最多 最少 至少 不超过 超过 以内 以上 以下 最大 最小 上限
ja 最大 最小 以上 以下 以内 未満 上限
de maximal mindestens höchstens mehr_als weniger_als
fr au_maximum au_moins au_plus moins_de plus_de
es como_máximo al_menos máximo mínimo más_de menos_de
pt no_máximo pelo_menos no_mínimo mais_de menos_de
it al_massimo almeno massimo minimo
mod.state
zh 可配置 可选 固定 居中 对齐 置顶 透明 圆角 自适应 更大 更小 加粗 放大 缩小
ja 大きく 小さく 固定 透明 太字 自動 統一
ko 크게 작게 고정 투명 자동 동일하게 길게 짧게 넓게
ru больше меньше крупнее жирным прозрачным одинаковым отдельно
de größer kleiner fett zentriert automatisch
fr plus_grand plus_petit centré automatiquement fixe séparé
es más_grande más_pequeño centrado automáticamente opcional fijo
pt maior menor centralizado automaticamente opcional fixo
it più_grande più_piccolo centrato automaticamente
mod.style
zh 样式 字体 间距 边距 背景 边框 阴影 字号 布局 宽度 高度
ja スタイル フォント 余白 背景 枠線 レイアウト 幅 高さ
ko 스타일 폰트 글꼴 여백 배경 테두리 그림자 레이아웃 너비 높이 크기
ru стиль шрифт отступ отступы фон рамка тень ширина высота размер
de schriftart schrift abstand hintergrund rahmen schatten breite höhe
fr police marge fond bordure ombre largeur hauteur taille
es estilo fuente margen fondo borde sombra ancho tamaño
pt estilo fonte margem fundo borda sombra largura altura tamanho
it stile carattere margine sfondo bordo ombra larghezza altezza dimensione
mod.colour
ja 赤 青 緑 黄色 白 黒 グレー 色
de rot grün blau gelb schwarz weiß grau farbe
fr rouge vert bleu jaune noir blanc gris couleur
es rojo verde azul amarillo negro blanco gris
pt vermelho verde azul amarelo preto branco cinza cor
it rosso verde blu giallo nero bianco grigio colore
mod.place
ja 左 右 上に 下に 上部 下部 中央 横に 隣に
de links rechts oben unten neben zwischen
fr à_gauche à_droite en_haut en_bas à_côté au-dessus entre
es izquierda derecha arriba abajo al_lado encima debajo entre
pt esquerda direita acima abaixo ao_lado em_cima embaixo entre topo
it sinistra destra sopra sotto accanto in_alto in_basso
mod.all
zh 所有 全部 每个
ja すべて 全て 全部
ko 모두 모든 전부 각각 다
ru все всех всем каждый каждого каждой весь
de alle allen jede jeder jedes ganze
fr tous toutes chaque tout toute
es todos todas cada todo toda
pt todos todas cada todo toda
it tutti tutte ogni tutto
mod.also
zh 另外 以及 同时
ja また さらに 加えて
ko 또 또한 그리고 추가로
ru также тоже еще
de auch außerdem zusätzlich
fr aussi également
es también además
pt também
it anche inoltre
mod.same
zh 一样 相同 一致 类似
ja 同じ 同様 一致 合わせて 揃え
ko 똑같이 같은 같이 처럼 맞춰
ru так_же такой_же одинаково аналогично
de gleich gleiche genauso ähnlich
fr même mêmes pareil comme
es mismo misma igual como
pt mesmo mesma igual como
it stesso stessa uguale come
mod.allow
zh 允许 能够
ja できるように 可能に 許可
ko 수_있게 수_있도록 가능하게 가능하도록
ru возможность чтобы_можно
de ermöglichen erlauben möglichkeit
fr permettre possibilité
es permitir posibilidad
pt permitir possibilidade
it permettere possibilità
mod.support
zh 支持 兼容
ja 対応 サポート 互換
ko 지원 호환
ru поддержка поддержку поддерживать
de unterstützen unterstützung
fr compatible supporter
es soportar compatible
pt suportar compatível
mod.scope
zh 暂时 以后再
ja とりあえず まずは 後で 一旦
ko 일단 나중에 우선
ru позже потом сначала
de erstmal später vorerst
fr pour_l'instant plus_tard
es por_ahora más_tarde
pt por_enquanto mais_tarde
it per_ora più_tardi
mod.meta
zh 会话 上下文 任务 提示词 代理 技能
ja セッション タスク プロンプト エージェント スキル
ko 세션 태스크 프롬프트 에이전트 작업 스킬
ru задача задачу задачи сессия контекст промпт агент
de aufgabe aufgaben sitzung kontext
fr tâche tâches contexte
es tarea tareas sesión contexto
pt tarefa tarefas sessão contexto
it compito sessione contesto
ctx.not-working
zh 不显示 没有显示 不生效 无法 打不开 没有生效 不起作用
ja 動かない 動きません 表示されない 表示されません できない されていない 反映されない
ko 안_돼 안_되네 안_보여 안_나와 안_됨 되지_않아 작동하지_않아 동작하지_않아
ru не_работает не_работают не_отображается не_открывается не_запускается не_показывает не_видно не_получается
de funktioniert_nicht geht_nicht wird_nicht klappt_nicht
fr ne_marche_pas ne_fonctionne_pas marche_pas
es no_funciona no_aparece no_se_muestra no_carga no_abre
pt não_funciona não_aparece não_carrega não_abre não_está
it non_funziona non_appare
ctx.still
zh 还是 仍然 依然 依旧
ja まだ 依然 再び
de immer_noch wieder noch_immer
fr toujours_pas encore
es todavía sigue aún otra_vez
pt ainda novamente de_novo continua
it ancora di_nuovo
ctx.i-saw
zh 我看到 我发现 发现
ja と出 が出 なっている なっています
ko 보니 보니까 나오는데 뜨는데 보이는데 나와 떠
ru вижу получаю увидел заметил появляется пишет выдает
de ich_sehe ich_bekomme
fr je_vois j'ai_vu j'obtiens je_constate
es veo me_sale me_aparece he_visto
pt vejo aparece recebi
it vedo ricevo ottengo
ctx.you-did
zh 你刚才 你已经 你没有
ja してくれた してしまっ
ko 했네 했는데 했잖아
ru ты_сделал ты_добавил ты_удалил ты_не
de du_hast
fr tu_as tu_n'as
es has no_has
pt você_fez você_não
it hai
ctx.now
zh 现在 目前 当前
ja 現在
ko 지금 현재
ru сейчас
de aktuell momentan derzeit
fr actuellement
es actualmente
pt atualmente no_momento
it attualmente al_momento
ctx.hedge
zh 可能 也许 大概
ja かも たぶん おそらく
ko 아마 혹시 아마도
ru возможно наверное может_быть
de vielleicht eventuell möglicherweise
fr peut-être éventuellement
es quizás tal_vez quizá
pt talvez
it forse magari
ctx.think
zh 我觉得 我认为 感觉 觉得
ja と思う と思います 気がし
de ich_denke ich_glaube ich_finde
fr je_pense je_crois je_trouve
es creo pienso
pt acho penso acredito
it penso credo
ctx.can-you
zh 能不能 能否 帮我
ja してくれ してもらえ できますか もらえますか いただけますか
de kannst_du könntest_du
fr peux-tu peux_tu pouvez-vous pourrais-tu
es puedes podrías
pt pode você_pode poderia
it puoi potresti
ctx.please
zh 请 麻烦
ja ください 下さい お願い
de bitte
fr s'il_te_plaît stp svp
es por_favor
pt por_favor
it per_favore
ctx.lets
zh 让我们 咱们
ja ましょう
ru давай давайте
de lass_uns lasst_uns
fr allons on_va
es vamos_a
pt vamos
it facciamo
ctx.reason
zh 因为 由于 所以 原因
ja ので ため 理由
ko 때문에 때문 그래서 이유
ru потому поэтому так_как из-за
de weil denn wegen
fr parce_que car
es porque ya_que
pt porque pois
it perché poiché`
