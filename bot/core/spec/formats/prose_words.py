"""What headings and items of pages without a format say, in several languages."""

import re

# Chapters that a page of requirements begins with.
INTRODUCES = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:purpose|goals?|objectives?|audience|target users?|stakeholders?|actors|(?:user )?roles?|personas?|"
    r"context|(?:current |overall |product |project )?scope|terms|definitions|assumptions|constraints|timeline|milestones|objetivos?|contexto|alcance|actores|"
    r"objectifs?|contexte|p[ée]rim[èe]tre(?! fonctionnel)|acteurs|atores|akteure|attori|zweck|ziele?|zielgruppe|kontext|цел[ьи]|назначение|контекст|(?:sovelluksen )?tarkoitus|käyttäjät|tavoitteet?|taustaa?|toimintaympäristö)\b|"
    r"\w{0,6}(?:目的|背景|概要|対象ユーザー|動作環境|対応OS|スケジュール|サポート|ブランド|目标用户|项目概述|运行环境)|目标|목적|배경|대상 사용자)",
    re.IGNORECASE,
)
# How people or programs go through it.
TELLS_STEPS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:system|user|business|example|process|main|typical|end[- ]to[- ]end) )?(?:work)?flows?\W*$|"
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:abläufe|ablauf|arbeitsabläufe|flux|parcours|flujos?(?: de trabajo)?|fluxos?|flussi|процессы|"
    r"(?:业务|使用|操作|数据)流程?图?|datenfluss|data ?flows?|flujo de datos|fluxo de dados|flux de données|flusso (?:dei )?dati|потоки? данных|データフロー|데이터 ?흐름|業務フロー|画面遷移|業務の流れ|업무 ?흐름)\W*$",
    re.IGNORECASE,
)
# Why something is built: what is wrong today, and what people dream of.
TELLS_WHY = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:(?:product |project )?vision|problems?(?: statement)?|pain points|motivation|"
    r"(?:current|existing) (?:state|situation|systems?|process(?:es)?)|problèmes?|problématique|(?:situation|état) (?:actuelle?|existante?)|existant|"
    r"problemas?|situaci[óo]n actual|situação atual|problema|situazione attuale|проблем[аы]|текущ(?:ее состояние|ая ситуация)|"
    r"ausgangs(?:lage|situation|punkt)|problem(?:stellung|beschreibung)|ist[- ]?(?:zustand|analyse|situation)|probleme)\b|"
    r"(?:現状|課題|问题|現行|现状|痛点|愿景|ビジョン)|문제|현황|비전)",
    re.IGNORECASE,
)
STORY = re.compile(
    r"\bAs (?:an? |the )?[^,.(]{2,80}(?:\([^()]{1,80}\))?,? (?:I|we) (?:(?:may|might|also|really|never|don['’]t|do not) )?(?:want|need|can|would|wish|should|must|expect)\b|"
    r"\bEn tant qu(?:e |['’] ?)[^,.(]{2,80}(?:\([^()]{1,80}\))?,? (?:je (?:veux|souhaite|voudrais|dois|peux)|j['’]aimerais)\b|"
    r"\bComo (?:un |una |um |uma )?[^,.(]{2,80}(?:\([^()]{1,80}\))?,? (?:eu )?(?:quiero|quero|necesito|deseo|desejo|preciso|gostaria)\b|"
    r"\bAls [^,.]{2,80},? (?:(?:möchte|will) ich|wil ik)\b|\bCome [^,.]{2,80},? (?:voglio|vorrei)\b|"
    r"\bSom [^,.]{2,80},? (?:vill jag|vil jeg|ønsker jeg)\b|\bSebagai [^,.]{2,80},? saya (?:ingin|mau|harus|perlu|dapat|bisa)\b|"
    r"\bJako [^,.]{2,80},? (?:chcę|chciał(?:a)?bym)\b|\bКак [^,.]{2,80},? я (?:хочу|могу|хотел(?:а)? бы)\b|"
    r"\b\w{2,40}(?:na|nä)(?: \w{2,40}){0,3},? (?:minä )?(?:haluan|haluaisin|voin|tarvitsen)\b|"
    r"\b\w[^,.]{2,60} olarak,? [^.]{2,200}(?:istiyorum|isterim)\b|"
    r"(?:作为|作為|身为|身為).{1,40}?我(?:想|希望|要|需要|能|可以)|"
    r"[^\s。、，,]{1,30}として[、,].{2,160}?(?:たい|ほしい|欲しい)|[^\s.,]{1,30}(?:으)?로서,?\s.{2,160}?(?:싶|원한|원합)",
    re.IGNORECASE,
)
BEHAVIOUR = re.compile(
    r"\bbehaviou?rs?\b|\bverhalten\b|\bcomportement|\bcomporta|поведени|行为|動作|동작",
    re.IGNORECASE,
)
FUNCTIONS = re.compile(
    r"function|feature|capabilit|funktion|fonction|funcion|funzion|funkcj|toiminnalli|toiminno|функц|功能|機能|기능|"
    r"fonksiyon|işlev|özellik|funksjon|funkčn|funkci|funcți|chức năng|fungsi|fitur|λειτουργ",
    re.IGNORECASE,
)
# A chapter of what the product does when something goes wrong.
ERRORS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:errors?|exceptions?|failures?)(?: (?:handling|cases|states|behaviou?r))?"
    r"(?: (?:and|&) (?:errors?|exceptions?|failures?)(?: handling)?)?|"
    r"fehler(?:behandlung|fälle)|gestion des erreurs|(?:manejo|gestión) de errores|tratamento de erros|обработка ошибок|"
    r"obsługa błędów|例外(?:処理)?(?:[・と]エラー(?:ハンドリング|処理))?|エラー(?:ハンドリング|処理)|異常系|"
    r"(?:异常|错误)处理|(?:오류|예외) ?처리)\W*$",
    re.IGNORECASE,
)
RULE_SENTENCE = re.compile(
    r"\b(?:must|shall|equals?|is always|are always|is never|are never|may not|cannot|is computed|is calculated)\b"
)
NOT_A_FEATURE = re.compile(
    r"design (?:reference|source)|changelog|open (?:product |design |technical )?questions|about this (?:document|page|prd|spec)|glossary|tech(?:nical)? stack|"
    # `Order summary` is a function, `Executive summary` is none.
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+|(?:section|chapter|part) \w{1,4}\W{1,4}|[A-Z]{1,4}[.)]\s+)?"
    r"(?:(?:product|project|executive|document|general|system|solution|technical|business|problem|high[- ]level|feature|mvp|current|external|"
    r"internal|development|runtime|(?:user )?journeys?|operating|epic|story|spec|further|related|key|known|main|potential|architectur(?:e|al)|api|requirements?|"
    r"use case|design|testing|release|change|stakeholder|market) ){0,2}(?:overview|introduction|background|summary|"
    r"environment(?: (?:variables|set-?up|configuration))?|references?(?: (?:documents?|materials?|links?))?|dependencies|risks?)"
    r"(?:\s*(?:\b(?:and|of|for|to)\b|[&/(（:：–—-])\s*.{0,60})?\W*$|"
    r"appendix|seed data|"
    r"^\W*(?:table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|sumário|содержание|оглавление|"
    r"spis treści|目录|目錄|目次|목차)\W*$|"
    # Advice to those who plan, build or test is not what is to be built.
    r"^(?:implementation|testing|planning|planner|reviewer|developer|agent)[’'s]* (?:notes?|advice|hints?|guidance)|"
    r"\b(?:notes?|advice|hints?|guidance|directives|instructions) (?:for|to) |\bhinweise? (?:für|zur?m?)\b|"
    r"^(?:(?:meeting|other|further|side) )?(?:notes?|remarks?)\W*$|^(?:notizen|anmerkungen|notas|remarques|заметки|备注|メモ|비고)\W*$|"
    r"offene (?:fragen|punkte)|noch zu klären|questions ouvertes|points ouverts|(?:preguntas|cuestiones|puntos|temas) (?:abiert|pendient)[ao]s|(?:definiciones|decisiones) (?:ya )?(?:resueltas|tomadas|cerradas)|"
    r"(?:perguntas|questões) em aberto|открытые вопросы|otwarte pytania|待确认问题|未解决问题|遗留问题|未決事項|未解決|미결 ?사항|"
    # By what means, and by whom, it is built.
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:technical (?:considerations|notes|details)|技術的(?:考慮|検討)事項|技术(?:考虑|细节|方案|要点|实现)\w{0,4}|기술적? ?고려 ?사항|"
    r"(?:implementation|development|project|delivery|release|execution|roll-?out) (?:plan|schedule|timeline|roadmap)|"
    r"(?:projekt|entwicklungs|umsetzungs)plan|plan de (?:desarrollo|implementación|développement|réalisation)|"
    r"plano de (?:desenvolvimento|implementação)|план (?:разработки|реализации|работ)|plan (?:wdrożenia|prac)|"
    r"(?:实施|开发|实现|项目|迭代)(?:计划|排期)|(?:開発|実装|導入)(?:計画|スケジュール)|(?:개발|구현) ?(?:계획|일정)|"
    # Whom and what it takes to build it, and what it is joined to.
    r"external interfaces?(?: requirements)?|(?:externe )?schnittstellen|interfaces? externes?|interfaces? externas?|внешние интерфейсы|外部接口(?:需求|要求)?|外部インター?フェー?ス(?:要件)?|외부 ?인터페이스(?: ?요구 ?사항)?|"
    r"(?:team|staff(?:ing)?|personnel|resource|hiring|budget|funding|training) requirements|personalbedarf|"
    r"division of (?:work|labou?r)|work (?:split|distribution)|podział (?:prac|zadań|obowiązków)|aufgabenverteilung|"
    r"répartition des tâches|(?:reparto|división) de (?:tareas|trabajo)|divisão de tarefas|分工|役割分担|역할 ?분담)(?:\s*[（(][^()（）]{0,60}[)）])?\W*$|"
    # Who uses it.
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:user |system )?(?:roles|actors)|роли(?: пользователей)?|rôles(?: utilisateurs)?|"
    r"roles de usuario|perfis de usuário|benutzerrollen|ruoli(?: utente)?|role użytkowników|用户角色|ユーザー(?:種別|ロール)|사용자 (?:역할|유형))\W*$|"
    r"\b(?:notas|consejos) para\b|\b(?:notes|conseils) pour\b",
    re.I,
)
REQUIRED = re.compile(
    r"require?ment|requisit|anforderung|exigence|wymagani|vaatimu|toiminnalli|toiminto|требовани|\bfeature|funktion|funcionalidad|fonctionnalité|"
    r"要件|需求|要求|功能|機能|요구|기능",
    re.IGNORECASE,
)
# What an item says of the thing above it, when that is its whole label.
ATTRIBUTE = re.compile(
    r"(?:priorit\w*|descri\w*|status|owner|actors?|users?|inputs?|outputs?|rationale|notes?|goals?|purpose|trigger|"
    r"details?|detalles|détails|einzelheiten|детали|詳細|详情|상세|location|type|path|files?|examples?|source|benefits?|why|what|how|when|who|beschreibung|"
    r"优先级|(?:功能|需求)?描述|(?:详细)?说明|类别|状态|类型|目的|业务规则|输入|输出|优先度|説明|入力|出力|우선순위|설명|입력|출력)",
    re.IGNORECASE,
)
LABEL_START = re.compile(r"^\*\*([^*\n]{1,80})\*\*\s*[:：—–-]|^\*\*([^*\n]{1,80})[:：]\*\*")
CORE_FEATURES = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:core|key|main|mvp|functional) (?:features?|functions?|functionality)|features|"
    r"kernfunktionen|hauptfunktionen|fonctionnalités (?:principales|clés)|funcionalidades (?:principales|clave)|"
    r"funcionalidades principais|основные функции|główne funkcje|funzionalità principali|"
    r"(?:必做)?(?:核心|主要|必备|必做|基础)功能|(?:主要な?|主な|コア|基本|必須)機能|(?:핵심|주요|필수|추가|기본|심화) ?기능)\W*$",
    re.IGNORECASE,
)
BOLD_START = re.compile(r"^\*\*([^*\n]{1,80})\*\*(?=\s+\S|\s*$)")
# Each line of such a page is one function.
LIST_OF_FUNCTIONS = re.compile(
    r"\b(?:feature|function) (?:list|overview|inventory)\b|\blist of (?:all )?(?:features|functions)\b|funktions(?:liste|übersicht|umfang)|"
    r"liste des (?:fonctionnalités|fonctions)|(?:lista|listado) de (?:funcionalidades|funciones|funções)|elenco (?:delle )?funzionalità|"
    r"lista funkcj|(?:список|перечень) функци|功能(?:列表|清单|一览)|機能(?:一覧|リスト)|기능 ?(?:목록|리스트|일람)",
    re.IGNORECASE,
)
# `Sign-in feature`, `ログイン機能`: a heading that names one, and not that some follow.
ONE_FUNCTION = re.compile(
    r"(?:功能|機能|기능)\W*$|\b(?:feature|function(?:ality)?)\W*$", re.IGNORECASE
)
EPIC = re.compile(
    r"^\W*(?:epic|épica|épico|épopée|epos|эпик|史诗|エピック|에픽)\s*+[-#]?\s*+\d{1,3}\s*+[:：.)–—-]?\s*+(?=\S)",
    re.IGNORECASE,
)
# How the product will be tested is no part of it.
TESTING = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:testing|tests?|test coverage|coverage|qa|quality assurance|unit tests?)"
    r"(?:\s*(?:&|and|/)\s*(?:testing|tests?|qa|quality assurance|validation))?"
    r"(?:\s+(?:strategy|plan|scope|approach|requirements?|cases))?|"
    r"teststrategie|testplan|testkonzept|testfälle|(?:multi-)?(?:\w+-)?test-?matrix|tests? et recette|plan de tests?|estrategia de pruebas|plan de pruebas|pruebas|testes|"
    r"стратегия тестирования|тестирование|测试(?:策略|计划|方案|要求)|テスト(?:方針|計画|戦略|要件)?|테스트(?: ?(?:계획|전략))?)\W*$",
    re.IGNORECASE,
)
# `Feature 3: Recording`, `功能三：录音`.
CALLED_A_FEATURE = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:core |key )?(?:feature|function)|funktion|fonctionnalité|funcionalidade?|funcionalidad|funzionalità|"
    r"funkcja|функция|功能点?|機能|기능|F)\s*+(?:[-#]\s*+)?(?:\d{1,2}|[一二三四五六七八九十]{1,2})(?!\.?\d)\s*+[:：.)–—-]\s*+(?=\S)",
    re.IGNORECASE,
)
# A page of how something is tried asks for nothing new.
TEST_PLAN = re.compile(
    r"^\W*(?:(?:manual |master |qa |acceptance |system |integration |e2e )?test (?:plan|cases|strategy|matrix)|qa plan|testplan|testkonzept|"
    r"plan de (?:pruebas|test|tests)|plano de testes?|cas de tests?|casos de prueba|план тестирования|тест-план|"
    r"测试(?:计划|方案|用例)|テスト(?:計画|仕様書?|ケース)|테스트 ?(?:계획|케이스))(?:\W|$)|"
    # A report tells what was found.
    r"(?:\b(?:test|verification|validation|audit) report|(?:测试|验证|审计|检查)报告|(?:検証|テスト)(?:報告書?|レポート)|검증 ?보고서|"
    r"prüfbericht|testbericht|rapport (?:de test|d['’]audit)|informe de (?:pruebas|verificación))\W*$",
    re.IGNORECASE,
)
PART_NUMBER = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|[(（]\d{1,3}[)）])\s+")
PART = re.compile(r"^\d{1,3}(?:\.\d{1,3}){1,4}[.)]?\s+")
BOLD_PART = re.compile(r"^\*\*\d{1,3}(?:\.\d{1,3}){1,4}[.)]?(?:\s+(?P<title>[^*\n]{1,200}))?\*\*")
# What has to be there to run or build the program.
OF_A_MACHINE = re.compile(
    r"\b(?:required for|prerequisites?|instal\w*|set-?up|ports?|environment variables?|hardware|software|dependencies|packages?|"
    r"runtime|system requirements?|verification|voraussetzungen|prérequis|requisitos previos|pré-requisitos)\b|"
    r"安装|环境|依赖|インストール|動作環境|설치|환경",
    re.IGNORECASE,
)
# What a machine must have, if it lists nothing but names.
OF_A_SYSTEM = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:minimum |minimal )?system requirements?|systemanforderungen|configuration requise|"
    r"requisitos (?:del|do) sistema|requisiti di sistema|системные требования|系统要求|動作環境|시스템 ?요구 ?사항)\W*$",
    re.IGNORECASE,
)
# `To follow along you need these prerequisites:`
PREREQUISITES = re.compile(
    r"\bprerequisites?\b|\bvoraussetzungen\b|\bprérequis\b|\bpré[- ]?requisitos\b|\bprerrequisitos\b|\brequisitos previos\b|"
    r"\bprerequisiti\b|предварительные требования|前置(?:条件|要求)|前提条件|사전 ?(?:요구 ?사항|준비)",
    re.IGNORECASE,
)
# By what means it is built: that binds each change, and is no function.
TECHNICAL = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:technical (?:requirements?|specifications?|constraints?)|technische (?:anforderungen|vorgaben)|"
    r"(?:exigences|contraintes|spécifications) techniques|(?:requisitos|requerimientos|especificaciones) técnicos?|"
    r"requisitos técnicos|requisiti tecnici|wymagania techniczne|технические требования|技术(?:要求|需求|规格)|技術要件|기술(?:적)? ?(?:요구사항|사양))\W*$",
    re.IGNORECASE,
)
# What the first release is to have.
IN_SCOPE = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:mvp[ -]scope|scope of (?:the )?(?:mvp|first release|v1)|in[ -]scope|what it does|"
    r"mvp|alcance (?:del )?mvp|dentro del alcance|escopo (?:do )?mvp|dentro do escopo|périmètre (?:du )?mvp|dans le périmètre|"
    r"(?:included?|inclus|incluid[oa]s?|incluíd[oa]s?|enthalten|включено)(?: ?[(（][^()（）]{1,60}[)）])?|"
    r"umfang (?:des )?mvp|im umfang|в рамках(?: проекта| mvp)?|mvp ?(?:范围|範圍|スコープ|범위)|范围内)\W*$",
    re.IGNORECASE,
)
# What kind of item follows, and not what the items are about.
KIND_OF_ITEM = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:use cases?|user stories|stories|casos de uso|cas d['’](?:utilisation|usage)|"
    r"anwendungsfälle|historias de usuario|histórias de usuário|варианты использования|用例|用户故事|ユースケース|ユーザーストーリー|"
    r"유스 ?케이스|사용자 스토리)\W*$",
    re.IGNORECASE,
)
# A chapter of what always holds: `Write rules`.
RULES = re.compile(
    r"\brules\b|\bregeln\b|\brègles\b|\breglas\b|\bregras\b|\bregole\b|\bправила\b|规则|規則|ルール|규칙",
    re.IGNORECASE,
)
# What the business wants of it: goals, where its functions are listed elsewhere.
OF_BUSINESS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:business (?:requirements?|objectives?|goals)|requisit[oi]s? (?:de|del|do) neg[óo]cios?|"
    r"requerimientos (?:de|del) negocio|exigences métiers?|besoins métiers?|geschäftsanforderungen|geschäftliche anforderungen|"
    r"бизнес-требования|业务需求|ビジネス要件|(?:비즈니스|업무) ?요구 ?사항)\W*$",
    re.IGNORECASE,
)
# What people do with the product, told before its functions.
JOURNEYS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:key |core |main )?(?:user|customer) journeys?(?: maps?)?|parcours (?:utilisateurs?|clients?)|"
    r"(?:recorridos?|viajes?) (?:de|del) (?:usuarios?|clientes?)|jornadas? d[eo]s? (?:usuários?|clientes?)|percorsi (?:utente|degli utenti)|"
    r"(?:nutzer|benutzer|kunden)reisen?|путь пользователя|пути пользователей|用户(?:旅程|历程)|ユーザージャーニー|사용자 ?여정)\W*$",
    re.IGNORECASE,
)
SAYS_STORIES = re.compile(
    r"\b(?:user )?stor(?:y|ies)\b|\bhist[óo]rias?\b|\brécits?\b|\bstorie\b|geschichten\b|tarinat?\b|истори|故事|ストーリー|스토리",
    re.IGNORECASE,
)
# A chapter of its own beside those of requirements.
OF_QUALITY = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:security|performance|reliability|availability|accessibility|backups?\b.*|scalability|"
    r"usability|user experience|ux|"
    r"sécurité|performances?|fiabilité|accessibilité|sauvegardes?\b.*|non[ -]?fonctionnels?|"
    r"seguridad|rendimiento|copias de seguridad|segurança|desempenho|sicherheit|leistung|zuverlässigkeit|datensicherung|"
    r"безопасность|производительность|надежность|надёжность|bezpieczeństwo|wydajność|"
    r"(?:browser )?compatibility|responsive(?:ness| design)?|"
    r"セキュリティ|性能|使いやすさ|ユーザー体験|安全性?|可靠性|兼容性|用户体验|易用性|보안|성능|사용자 ?경험|사용성)"
    r"(?: requirements?| considerations?|要件|要求|需求| ?요구사항)?"
    r"(?:\s*(?:&|/|\b(?:and|et|und|y|e|и)\b)\s*(?:access|privacy|accès|confidentialité|datenschutz|zugriff|accesos?|privacidade?|acessos?|"
    r"доступ|конфиденциальность))?|"
    r"(?:leistungs|sicherheits)anforderungen|anforderungen an die (?:benutzerfreundlichkeit|sicherheit|leistung)|"
    r"(?:requisitos|requerimientos) de (?:experiencia de usuario|usabilidad|usabilidade|seguridad|segurança|rendimiento|desempenho)|"
    r"exigences de (?:sécurité|performances?))\W*$",
    re.IGNORECASE,
)
# What is kept of a thing, and what states it has.
OF_DATA = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:[\w-]{1,20} ){0,3}(?:data fields?|fields|attributes|columns|status(?:es)?|states|(?:status )?life ?cycle|enum(?:eration)?s?|"
    r"datenfelder|felder|attribute|champs|attributs|statuts|campos|atributos|estados|campi|attributi|stati|поля|атрибуты|статусы|pola|statusy|"
    r"字段|属性|状态|項目|状態|フィールド|필드|속성|상태)\W*$",
    re.IGNORECASE,
)
# Above a list of what is kept of a thing: `Fields:`, `**Seat attributes**`, `Campos del libro:`.
FIELDS_LABEL = re.compile(
    r"^\W{0,8}(?:[\w-]{1,24} ){0,2}"
    r"(?:fields?|attributes?|properties|columns?|parameters?|data (?:fields?|points)|\w{0,20}felder|attribute|spalten|eigenschaften|"
    r"campos|atributos|columnas|colunas|parámetros|parâmetros|champs|attributs|colonnes|campi|attributi|colonne|"
    r"поля|атрибуты|столбцы|параметры|pola|atrybuty|kolumny|\w{0,4}(?:字段|属性|欄位|フィールド|カラム|필드|속성|컬럼)|"
    r"(?:入力|登録|データ|表示|必須|保存)?項目|(?:입력|등록|표시|필수)? ?항목)"
    r"(?: (?:(?:del?|d[ao]s?|du|des|de la|of(?: the| an?)?|der|für) )[\w -]{1,24})?\W{0,8}$",
    re.IGNORECASE,
)
