"""The words of specs in several languages: modal verbs, kinds of headings, statuses, languages.

Step words are in `step_words`.
"""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from bot.core.spec.criteria_names import ACCEPTANCE_SCENARIO
from bot.core.spec.triage.prefiltered import PrefilteredPattern
from bot.core.values.spec_model import Modality

_PUNCTUATION = str.maketrans("：（），；。！？［］", ":(),;.!?[]")


def halfwidth(text: str) -> str:
    """Full-width punctuation as ASCII, of the same length; for matching only."""
    return text.translate(_PUNCTUATION)


def without_accents(text: str) -> str:
    """Latin letters without their marks; all other signs as they are."""
    return re.sub("[\u00c0-\u017f]", lambda one: unicodedata.normalize("NFD", one[0])[0], text)


_MUST_NOT = (
    r"\b(?:MUST NOT|SHALL NOT|MUST NEVER|SHALL NEVER|CANNOT)\b|"
    r"\b(?i:ne (?:DOIT|DOIVENT|devra|devront) pas|no (?:DEBE|DEBEN|deberán?)|não (?:DEVE|DEVEM|deverá|deverão|poderá|poderão)|no podrán?|"
    r"ne pourra(?:ont)? pas|non (?:deve|devono|dovrà|dovranno|può|possono|potrà)|nie (?:MOŻE|MOGĄ))\b|"
    r"(?i:НЕ (?:ДОЛЖ(?:ЕН|НА|НО|НЫ)))|不得|禁止|不能|不应|してはならない|"
    r"\b(?:must|shall) (?:not|never)\b"
)
_MUST = (
    r"\b(?:MUST|SHALL|REQUIRED|DOIT|DOIVENT|DEVRA|MUSI|MUSZĄ|DEBE|DEBEN|DEBERÁ|DEVE|DEVEM|DEVERÁ|MUSS|MÜSSEN|KELL)\b|"
    r"必须|必須|须(?!知)|应当|系统应(?!用)|(?<![響回反適供相對效])應(?![用急付答屆聘收])|(?<![响回反适供相对效])应(?![用急付答届聘收])|"
    r"しなければならない|해야\s*한다|"
    r"(?i:\bДОЛЖ(?:ЕН|НА|НО|НЫ)\b)|\b(?:must|shall|doit|doivent|musi|debe|deben|deve|devem|muss)\b|"
    # Many languages say it in the future.
    r"\b(?:Debe|Deben|Deberán?|Deve|Devem|Devono|Deverá|Deverão|Dovrà|Dovranno|Doit|Doivent|Devra|Devront)\b|"
    r"\b(?:deverá|deverão|deberán?|devra|devront|dovrà|dovranno|devono|müssen|muszą|moet|moeten|skall|täytyy|on oltava)\b"
)
_SHOULD = r"\b(?:SHOULD|RECOMMENDED|should|DEVRAIT|devrait|DEBERÍA|debería|DEVERIA|powinien|powinna|sollten?|soll|sollen)\b|(?<![诉见化进的与和、])建议(?!$|[与和及箱书栏、）])|すべき"
_MAY = r"\b(?:MAY|OPTIONAL|may|PEUT|peut|PUEDE|puede|PODE|pode|może|kann|poderá|poderão|podrán?|pourra|pourront|voi|voivat)\b|可以|してもよい"
# fmt: off
_FORBIDS = PrefilteredPattern(
    re.compile(_MUST_NOT),
    "not", "never", "ne ", "no ", "não ", "non ", "nie ", "не ", "不", "禁止", "してはならない",
)
# fmt: on
_BIDS = re.compile(_MUST)
_WEAKER = [
    (Modality.SHOULD, re.compile(_SHOULD)),
    (Modality.MAY, re.compile(_MAY)),
]
RFC_KEYWORD = re.compile(
    r"\b(?:MUST(?: NOT)?|SHALL(?: NOT)?|SHOULD(?: NOT)?|(?:NOT )?RECOMMENDED|REQUIRED|MAY|OPTIONAL)\b"
)
RFC_BOILERPLATE = re.compile(r"key ?words?\b.{0,20}MUST.{0,400}interpreted", re.I | re.S)


# Readers and triage ask for the same texts.
@lru_cache(maxsize=4_096)
def modality(text: str) -> Modality:
    """The strongest modal word; "must" together with "must not" is a must."""
    forbidden, bidden = _FORBIDS.search(text), _BIDS.search(text)
    if forbidden and not (bidden and bidden.start() < forbidden.start()):
        return Modality.MUST_NOT
    if bidden:
        return Modality.MUST
    return next((kind for kind, weaker in _WEAKER if weaker.search(text)), Modality.UNSTATED)


# Words with which a sentence takes something out; a heading says it in more ways.
_OUT_OF_SCOPE = re.compile(
    r"\bout[ -]of[ -]scope\b|\bnot in scope\b|\bhors (?:du )?périmètre\b|\bfuera de(?:l)? alcance\b|"
    r"\bfora d[eo] escopo\b|\bpoza zakresem\b|вне рамок|不在范围|超出(?:本次|本期)?范围(?=[\s。；，、)）]|$)|スコープ外|범위 외",
    re.IGNORECASE,
)
OUT_OF_SCOPE_WORDS = PrefilteredPattern(
    _OUT_OF_SCOPE, "scop", "périmètre", "alcance", "zakresem", "рамок", "范围", "スコープ外", "범위"
)


_FUTURE = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:p[1-4]\s?[:·–—(-]+\s?)?(?:(?:planned |possible |potential )?future(?![- ]proof)\b|"
    r"post[- ]?(?:mvp|launch|release|v1|hackathon|demo|beta)\b|"
    r"later (?:phases?|releases?|versions?|ideas|on)\b|(?:(?:maybe |for )?later|some ?day|später(?:er ausbau)?|für später|irgendwann|plus tard|"
    r"más (?:adelante|tarde)|mais tarde|più (?:avanti|tardi)|později|później|позже|потом|以后|以後|あとで|나중에)\W*$|backlog$|nice[- ]to[- ]haves?\b|not (?:in|for) (?:v1|mvp|this release)|"
    r"deferred\b|(?:将来|未来|后续)(?:版本|规划|功能|工作|阶段|需求)?|今後の|将来の|任意機能|後日|향후|zukünftig|ausblick|"
    r"gelecek(?:te|teki)?\b|ileride\b|framtida\b|fremtidige?\b|toekomst|budoucí|jövőbeli|майбутн|tương lai|masa depan|mendatang|"
    r"évolutions? futures?|à venir|trabajo futuro|futur[oa]s?\b|mejoras futuras|melhorias futuras|przyszł|jatkokehity|laajennuside|будущ)|"
    r"\b(?:mejoras|evoluciones|melhorias|évolutions|améliorations) futur[ae]s\b|\bfuture (?:improvements|enhancements|work|versions?)\b|"
    r"[(（](?:futur[ao]?e?|zukünftig|later|post[- ]?mvp|v2|未来|将来|后续)\b[^)）]*[)）]",
    re.IGNORECASE,
)


def is_future(heading: str) -> bool:
    """Whether a heading says that what stands below it is for later."""
    return bool(heading) and _FUTURE.search(halfwidth(heading)) is not None


class HeadingKind(StrEnum):
    """What a heading says about the items below it."""

    REQUIREMENTS = "requirements"
    FEATURES = "features"
    CRITERIA = "criteria"
    NONFUNCTIONAL = "nonfunctional"
    CHECKLIST = "checklist"
    OUT_OF_SCOPE = "out_of_scope"
    TRACE = "trace"
    OTHER = "other"


# `Must (MVP)`, `🟡 SHOULD`: what stands below is asked for, however it is numbered.
_MUST_OR_SHOULD = (
    r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:must|should|could)(?:[ -]haves?)?(?:[ -](?:features?|functions?|functionality|requirements?|"
    r"funktionen|anforderungen|kriterien|fonctionnalités|funcionalidades|funzionalità))?|"
    r"(?:(?:muss|soll|kann)(?:/|-/|[- ]?(?:anforderungen|kriterien)|\s)*+)++|"
    r"(?:must[ -](?:support|do)s?|(?:p[0-2]\s?[:：·–-]?\s*+)?(?:(?:必须|必需|必要)(?:支持|实现|具备|完成|做|有)?(?:的?功能)?|"
    r"必須(?:対応|項目)|必ず(?:やること|実装)|반드시 (?:구현|지원)|imprescindibles?|indispensables?|обязательно)))"
    r"\s*+(?:[-–—:(].*)?$"
)

_HEADINGS: list[tuple[HeadingKind, str]] = [
    (
        HeadingKind.OUT_OF_SCOPE,
        r"out[ -]of[ -]scope|non[ -]?goals?\b|not in scope|hors (?:du )?(?:périmètre|scope)|fuera de(?:l)? alcance|fora d[eo] escopo|fuori (?:dallo |dal )?(?:scope|ambito|perimetro|portata)|"
        r"abgrenzung|nicht im umfang|buiten (?:de )?scope|utanför|kapsam dışı|poza zakresem|вне (?:рамок|области)|不包含|范围外|超出范围|不在范围|スコープ外|対象外|범위 외|제외|"
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:exclus?e?s?\b|exclu[ií]d[oa]s?\b|暂不|明确不|不做|不支持|非目标|やらないこと|하지 않(?:는|을)|не (?:входит|делаем))|"
        # What is said not to be wanted: `Explicit non-requirements (do NOT build)`, `Was es nicht ist`.
        r"non[ -]?(?:requirements?|exigences|objectifs|objetivos|requisitos|obiettivi)\b|\bno[- ](?:objetivos|requisitos)\b|não[- ](?:objetivos|requisitos)\b|"
        r"nicht[ -]?(?:ziele|anforderungen)\b|не[- ](?:цели|требования)\b|非需求|非要件|非目標|비목표|비요구|"
        r"\b(?:do|will|does|should|must) not (?:build|include|implement|cover|do)\b|\b(?:do|does|will) not yet\b|\bwhat (?:it|we|this|the \w+) (?:is|are|does|do|will) not\b|^\W*(?:\d+(?:\.\d+)*\.?\s+)?rajaukset\W*$|ei kuulu|"
        r"\bwas \w+(?: \w+)? nicht (?:ist|kann|tut|macht)\b|\bce que .{1,40} n['’]est pas\b|\blo que .{1,30} no (?:es|hace)\b|\bo que .{1,30} não (?:é|faz)\b|"
        r"чего (?:не|нет)\b|(?:不|无需|不会)(?:实现|开发|包括)的?(?:功能|内容)|(?:実装|対応|開発)しない|含まない|(?:구현|개발|포함)하지 ?않|"
        r"\bnot included\b|\bnicht enthalten\b|\bnon inclus\b|\bno inclu[ií]d[oa]s?\b|\bnão inclu[ií]d[oa]s?\b|не включ(?:ено|ены)|不包括|"
        r"future (?:work|enhancements?|considerations)|won['’]t have|^\W*won['’]?t\b|deferred|excluded",
    ),
    (
        HeadingKind.CHECKLIST,
        r"verification checklist|checklist|review (?:& |and )?acceptance|definition of done|验证清单|检查清单|lista de verificación",
    ),
    (
        HeadingKind.TRACE,
        r"(?:requirements?|matri\w*|link|verification (?:and|&)) traceab|traceability (?:matrix|table|map)|^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:traceability|trazabilidad|traçabilité|rastreabilidade)\W*$|"
        r"trace matrix|matri\w+ (?:de )?(?:trazab|traçab|rastreab)|(?:trazab|traçab|rastreab)\w+ (?:de|des) (?:los )?(?:requi|exig)|coverage (?:map|matrix|table)|requirements? coverage|mapping|roadmap|(?:release|iteration) (?:plan|split)|iterationsplan|podział na iteracje|plan iteracji|changelog|revision history|"
        r"^\W*(?:appendix|annex|anhang|annexe|ap[ée]ndice|anexo|приложение|załącznik|附录|附錄|付録|부록)"
        r"(?![^\n]*(?:require|anforder|requisit|exigence|wymaga|требован|需求|要件|요구))|"
        r"(?:需求|要求|双向)追[溯踪]|追溯(?:性|矩阵|表|关系)|追踪矩阵|可追溯|sub-?tasks?\b|subtareas|subtarefas|sous-tâches|teilaufgaben|podzadania|подзадачи|子任务|サブタスク|하위 ?작업|work packages?|arbeitspakete|lots? de travaux|paquetes de trabajo|pacotes de trabalho|(?<!criteria )(?<!requirements )references?$|summary table|glossary|glosario|glossaire|open questions|preguntas abiertas|questions ouvertes|"
        r"success (?:criteria|metrics|indicators)|成功(?:标准|指标|指標|基準)|성공 ?(?:기준|지표)|erfolgskriteri|critères de (?:succès|réussite)|"
        r"criterios de éxito|critérios de sucesso|критерии успеха|kryteria sukcesu|"
        # What is covered, and what is not yet, is told of requirements that stand elsewhere.
        r"\b(?:gap|coverage) (?:report|analysis)\b|\b(?:coverage|test) gaps\b|lückenanalyse|analyse des écarts|análisis de brechas|análise de lacunas|"
        r"анализ (?:пробелов|покрытия)|差距(?:分析|报告)|ギャップ分析|"
        r"requirements? (?:validation|verification|elicitation|gathering|defects?|issues|changes?|reviews?)\b|(?:validation|verification|elicitation) of requirements|"
        r"risks?\b|riesgos|risques|riscos|risiken|rischi|ryzyk|риски|风险$|风险(?:[与和及]|应对)|風險$|リスク(?:$|[と・])|리스크(?:$| 및|와| 대응)|assumptions|supuestos|hypothèses",
    ),
    (
        HeadingKind.NONFUNCTIONAL,
        r"ei[ -]?toiminnalli|laatuvaatimu|^\W*(?:\d+(?:\.\d+)*\.?\s+)?rajoitteet\W*$|non[ -]?functional|nicht[ -]?funktional|niet[ -]?functione|non funzional|非機能|(?:质量|品質)(?:属性|特性|要求)|约束条件|制約条件|제약 ?사항|quality attributes|atributos de cali?dad|attributs de qualité|qualitätsmerkmale|qualitätsanforderung|no[ -]funcional|não[ -]funciona|non[ -]fonctionnel|niefunkcjonaln|нефункциональн|非功能|비기능|nem funkcionális|"
        r"(?:fonksiyonel|işlevsel) olmayan|pozafunkcjonaln|i[ck]ke[ -]?funk|(?:ne|mimo)funkčn|nefunkcion|нефункц|nefuncțional|phi chức năng|non-?fungsional|μη[ -]λειτουργικ|"
        # What always holds, and what the work is bound to, is checked with each change.
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:technical|design|business|system|global|implementation)\s+)?(?:constraints?|invariants?)(?: (?:and|&) \w{3,20})?\W*$|"
        r"randbedingungen|rahmenbedingungen|^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:invarianten|invariantes|restricciones|restrições|contraintes|ограничения|инварианты|ograniczenia|约束|不变量|制約|不変条件)(?: (?:del (?:sistema|proyecto)|do (?:sistema|projeto)|du (?:système|projet)|системы|проекта|systemu|projektu)|(?: (?:und|et|y|e|и|i) \w{3,20}))?\W*$|"
        # How the whole is to look is no work of its own either.
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:visual|ui|ux|graphic) )?design requirements|look (?:and|&) feel|(?:ui ?/ ?)?ux(?: ?/ ?ui)? (?:requirements|anforderungen)|"
        r"(?:exigences|requisit[oi]s?|wymagania|требования к) (?:(?:ui ?/ ?)?ux\b|дизайну)|требования к интерфейсу \(дизайну\)|デザイン要件|设计风格|视觉要求|"
        r"требовани\w+ к (?:\w+ому обеспечению|над[её]жности|безопасности|производительности|документации|эксплуатации|персоналу|"
        r"квалификации|условиям|совместимости|защите|данным)|"
        r"requisit[oi]s? (?:di|de) (?:qualit|calidad|qualidade|performance|prestazion|rendimiento|desempenho)|"
        r"requisitos de dise[ñn]o|gestaltungsanforderung|exigences (?:graphiques|de design)",
    ),
    (
        HeadingKind.CRITERIA,
        r"accept(?:ance|ation) criteri|crit[eé]ri[ao]s? d[e']? ?a[cs]|critères? d['’]acceptation|kryteria akceptacji|критери\w+ при[её]мк|"
        r"критерії при|criteri di accettazione|acceptatiecriteri|acceptanskriteri|accept(?:ance)?kriteri|akseptansekriteri|"
        r"hyväksymis(?:kriteeri|ehdo)|kabul kriter|kriteria penerimaan|tiêu chí chấp nhận|elfogadási (?:krit|felt)|akceptační kritéri|驗收(?:標準|條件|情境|場景)|"
        r"abnahme(?:kriteri|bedingung)|验收标准|验收条件|验收场景|受け入れ基準|受入基準|受け入れ条件|受入条件|akzeptanzkriterien|"
        rf"{ACCEPTANCE_SCENARIO}|"
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?acceptance(?: \([^()]{1,30}\))?\W*$",
    ),
    (
        HeadingKind.REQUIREMENTS,
        r"require?ments?\b|\brequired (?:\w+ ){0,2}(?:behaviou?rs?|capabilit(?:y|ies)|functions?)\b|gefordertes verhalten|comportement (?:requis|attendu)|"
        r"comportamiento requerido|comportamento (?:requerido|exigido|richiesto)|требуемое поведение|requerimient|périmètre fonctionnel|(?:alcance|[aâ]mbito|escopo) funciona|functional scope|business rules?|exigenc|règles? (?:métier|de gestion)|geschäftsregel|requisit|reglas? de negocio|regras de negócio|"
        r"vaatimu|wymagan|reguły biznesowe|требован|бизнес-правила|需求|业务规则|業務規則|規則|要件|ビジネスルール|業務ルール|요구|비즈니스 규칙|업무 규칙|"
        # What a screen has, and what it does.
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:required|mandatory|expected) (?:components|elements|behaviou?rs?)|"
        r"component[ei]s? (?:obligatori[oa]s?|requeridos|obrigatórios)|comportamiento (?:esperado|requerido)|comportamento esperado|"
        r"composants (?:requis|obligatoires)|comportements? attendus?|comportamento atteso|erwartetes verhalten|ожидаемое поведение|"
        r"期待(?:する|される)?(?:動作|振る舞い)|预期行为|기대 ?동작)\W*$|"
        r"işlevsel isterler|požiadavk|вимог|изисквани|cerinț|cerinte|zahtjev|yêu cầu|kebutuhan|persyaratan|απαιτήσ|متطلبات|דרישות|"
        r"anforderung|produkt(?:funktion|leistung)|(?:leistungs|funktions)umfang|követelm|\beisen\b|vereisten|\bkrav\b|gereksinim|požadavk|\b(?:must|should|could)[ -]haves?$|"
        + _MUST_OR_SHOULD,
    ),
    (
        HeadingKind.FEATURES,
        r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:funciona(?:is|les)|funzionali|fonctionnel(?:le)?s|funkcjonalne|функциональные)\W*$|"
        r"modules? fonctionnels?|módulos? funciona(?:les|is)|moduli funzionali|functional (?:modules?|decomposition|areas?|blocks?)|"
        r"\bözellik(?:ler)?\b|\bfonksiyonlar|\bişlevler|funkční|funksjon|función|funcții|chức năng|\bfitur\b|fungsional|λειτουργ|"
        r"toiminnallisuu|\btoiminno|\bominaisuudet|features?\b|functional(?:ity|ities)?\b|(?:spécifications?|especificaci(?:ón|ones)|especificaç(?:ão|ões)|specifiche) (?:fonctionnelles?|funciona(?:l|les|is)|funzionali)|fonctionnalité|funcionalidad|funkcj|функци|功能|機能|기능|funktion",
    ),
]


def _ways(pattern: str) -> list[str]:
    """What stands between those `|` that are in no bracket."""
    ways, depth, begin = [], 0, 0
    for part in re.finditer(r"\\.|\[[^\]]*\]?|[()|]", pattern):
        depth += (part[0] == "(") - (part[0] == ")")
        if part[0] == "|" and depth == 0:
            ways.append(pattern[begin : part.start()])
            begin = part.end()
    return [*ways, pattern[begin:]]


def _with_and_without_accents(pattern: str) -> str:
    """Many write `Fonctionnalites`, `Criterios de aceptacion`. Each way is asked at each sign, so once."""
    return "|".join(dict.fromkeys([*_ways(pattern), *_ways(without_accents(pattern))]))


_HEADING_KINDS = [
    (kind, re.compile(_with_and_without_accents(pattern), re.IGNORECASE))
    for kind, pattern in _HEADINGS
]


_MOSCOW = re.compile(_MUST_OR_SHOULD, re.IGNORECASE | re.DOTALL)


def is_moscow(title: str) -> bool:
    """Whether a heading is `Must`, `Should` or `Could`."""
    return _MOSCOW.match(halfwidth(title)) is not None


# A line that is longer is no heading, and each sign of it is asked of a thousand words.
_HEADING_MAX = 500
_PARTED = re.compile(r"[/&、・]|\s(?:and|und|et|y|e)\s")
_BARE_OUT_OF_SCOPE = re.compile(
    r"\W*(?:out[ -]of[ -]scope|not in scope|non[ -]?goals?|hors (?:du )?(?:périmètre|scope)|fuera de(?:l)? alcance|fora d[eo] escopo|"
    r"fuori (?:dallo )?scope|nicht im umfang|poza zakresem|вне рамок|范围外|不在范围|スコープ外|対象外|범위 외)\W*",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def heading_kind(title: str) -> HeadingKind:
    """OTHER if no word of the heading is known; it is asked of the length of a heading."""
    plain = halfwidth(title[:_HEADING_MAX])
    kind = next((kind for kind, p in _HEADING_KINDS if p.search(plain)), HeadingKind.OTHER)
    # `Requirements / Out of scope`: the part headings below it tell them apart.
    parts = _PARTED.split(plain) if kind is HeadingKind.OUT_OF_SCOPE else []
    apart = [part for part in parts if not _BARE_OUT_OF_SCOPE.fullmatch(part)]
    # `Requirements and features out of scope` says of both that they are.
    asks = 0 < len(apart) < len(parts) and any(map(says_only_requirements, apart))
    asks = asks and not any(heading_kind(part) is HeadingKind.OUT_OF_SCOPE for part in apart)
    return HeadingKind.REQUIREMENTS if asks else kind


# Headings that say only that requirements follow; what else a heading says names a group.
_ONLY_REQUIREMENTS = re.compile(
    r"^(?:[/／] ?(?:acceptance criteria|受け?入れ?(?:基準|条件)|验收标准|criterios de aceptación)|the|and|of|out|スコープ外|范围外|description|описание|descripción|descrição|beschreibung|de|des|del|do|les|los|as|os|die|y|e|et|und|и|core|key|main|basic|general|detailed|other|additional|high[- ]level|"
    r"non|functional|technical|system|software|product|business|user|project|conditional|mandatory|optional|obligatori[ao]s?|obligatoires?|必須|任意|必要|必备|必需|필수|추가|심화|부가|선택|phase|advanced|avancées|avanzadas|avançadas|v|"
    r"require?ments?|specifications?|features?|scope|périmètre|alcance|escopo|umfang|functions?|functionality|rules?|must[- ]haves?|"
    r"requisitos?|requerimientos?|funciona(?:l|les|is)|funcionalidades|no|não|sistema|exigences?|fonctionnel(?:le)?s?|spécifications?|especificaci(?:ón|ones)|especificaç(?:ão|ões)|spezifikation(?:en)?|спецификация|"
    r"fonctionnalités|besoins?|anforderungen|funktionale|nicht|wymagania|funkcjonalne|główne|funkcje|funzionalità|principali|fonctions|funciones|funções|"
    r"vaatimukset|toiminnalliset|toiminnallisuu(?:s|det)|toiminnot|ominaisuudet|ei|perusversion|tarjoama|suunnitellut|sovelluksen|järjestelmän|"
    r"fonksiyonel|işlevsel|olmayan|gereksinim(?:ler)?|özellikler|sistem|temel|funktionella|funktionelle|funksjonelle|icke|ikke|krav|"
    r"requisiti|funzionali|functionele|niet|eisen|vereisten|requisits|funcionals|funkcionális|nem|követelmények|(?:ne)?funkcionalni|zahtjevi|"
    r"(?:ne)?funkčn[íé]|(?:не)?функционални|изисквания|μη|λειτουργικές|απαιτήσεις|požadavky|požiadavky|функціональні|нефункціональні|вимоги|cerințe|funcționale|nefuncționale|"
    r"yêu cầu|(?:phi )?chức năng|kebutuhan|persyaratan|(?:non-?)?fungsional|fitur|"
    r"(?:не)?функциональные|функционал(?:ьность)?|системные|основные|требования|функции|системы|"
    r"principales|principaux|clés?|clave|principais|mvp|核心|主要な?|主な|基本|必做|핵심|주요|"
    r"moscow|prioriti[sz]ation|produktleistungen|produktfunktionen|funktionen|leistungsumfang|funktionsumfang|was|inhaltsverzeichnis|contents|índice|sommaire|содержание|оглавление|目次|목차|"
    r"[一二三四五六七八九十]{1,3}(?=[、.．])|功能点|功能(?:性|面)?|模块|模組|モジュール|모듈|说明|説明|설명|非功能|機能|非機能|系统|系統|システム|业务|業務|要件|需求|要求|规则|規則|定義|一覧|の|子|清单|列表|목록|기능|명세서?|요구사항|요구 ?사항|요구|[\W\d_])+$",
    re.IGNORECASE,
)


def says_only_requirements(heading: str) -> bool:
    """Whether a heading is `Functional requirements` or the like, and names nothing else."""
    return bool(heading) and (_ONLY_REQUIREMENTS.match(heading) is not None or is_moscow(heading))


# `Requerimientos del huerto`: what stands behind says whose they are.
_REQUIREMENTS_OF = re.compile(
    r"^\W*(?:(?:requerimientos|requisitos)(?: funcionales| funcionais)? (?:del?|d[oa]s?)|"
    r"exigences (?:du|de la|des|de l['’])|anforderungen (?:der|des|an (?:die|das|den))|wymagania (?:do|dla|dotyczące)|"
    r"requisiti (?:del(?:la|l['’]|lo)?|di|per)|(?:krav|eisen) (?:till|til|aan|voor)|"
    r"(?:functional )?requirements of|требования к)\s*\S",
    re.IGNORECASE,
)


def says_requirements_of(title: str) -> bool:
    """Whether a title is `Requirements of the garden`: it names the whole, and no part of it."""
    return _REQUIREMENTS_OF.match(title) is not None


_OF_FUNCTIONS = re.compile(
    r"\b(?:function|feature|use case|funktion|fonction|funcion|funzion|funkcj|функц)|功能|機能|기능",
    re.IGNORECASE,
)


_MEASURED = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:success (?:criteria|metrics|indicators)|成功(?:标准|指标|指標|基準)|성공 ?(?:기준|지표)|erfolgskriterien|"
    r"critères de (?:succès|réussite)|criterios de éxito|critérios de sucesso|критерии успеха|kryteria sukcesu)\W*$",
    re.IGNORECASE,
)


def trail_kind(titles: tuple[str, ...]) -> HeadingKind:
    """The kind of the innermost heading that has one; an outer EXCLUDED always wins.

    `Performance requirements` below `Non-functional requirements` are none of functions.
    """
    known = titles[1:] or titles
    kinds = [heading_kind(title) for title in known]
    if HeadingKind.OUT_OF_SCOPE in kinds:
        return HeadingKind.OUT_OF_SCOPE
    said = [
        (kind, title)
        for kind, title in zip(kinds, known, strict=True)
        if kind is not HeadingKind.OTHER
    ]
    if not said:
        return HeadingKind.OTHER
    kind, title = said[-1]
    # `Functional requirements` below `Success criteria` says which of them are measured.
    if kind is HeadingKind.REQUIREMENTS and any(map(_MEASURED.match, known[:-1])):
        return HeadingKind.TRACE
    is_asked = kind is HeadingKind.REQUIREMENTS and not _OF_FUNCTIONS.search(title)
    return HeadingKind.NONFUNCTIONAL if is_asked and HeadingKind.NONFUNCTIONAL in kinds else kind


_DRAFT_WORDS = {
    "draft",
    "brouillon",
    "borrador",
    "rascunho",
    "szkic",
    "черновик",
    "草稿",
    "草案",
    "entwurf",
    "초안",
}
_STATUS_LINE = re.compile(
    r"^\W{0,6}(?:\*\*|__)?(?:status|statut|estado|stato|статус|状态|状態|狀態|상태|ステータス)"
    r"(?:\*\*|__)?\s*[:|]\s*(?:\*\*|__)?\s*[:|]?\s*([^|]+)",
    re.IGNORECASE,
)


def status_of(line: str) -> str | None:
    """In lower case; the word for draft in every language is `draft`."""
    found = _STATUS_LINE.match(halfwidth(line))
    return normal_status(found.group(1)) if found else None


def normal_status(text: str) -> str | None:
    """One lower-case phrase of at most 40 characters, or None if empty."""
    words = (
        re.split(r"[—(;]|\s{2,}| - |\*\*[A-Z]", text.strip(" *_`\"'[]"))[0].strip(" *_`[],").lower()
    )
    if not words:
        return None
    return "draft" if words.split()[0].strip(".,:") in _DRAFT_WORDS else words[:40]


_SCRIPTS = [
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
]
_FREQUENT = {
    "en": "the and of to is with for be when",
    "fr": "le la les des est une dans avec pour que",
    "es": "el los las del una con para que se por",
    "pt": "o os da do uma com para não ao em",
    "pl": "i się na nie do jest oraz przez użytkownik",
    "de": "der die das und ist nicht mit für wird ein",
    "it": "il gli della che una con per è sono",
    "hu": "az és egy hogy nem van meg kell",
    "vi": "và của các được trong cho là một với không",
    "id": "yang dan untuk dengan dari ke tidak adalah dapat harus",
    "fi": "ja on ei voi että se tai kun ovat käyttäjä",
    "tr": "ve bir için ile bu olarak olan değil kullanıcı",
}
_FREQUENT_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


def language_of(text: str) -> str:
    """A two-letter code; English if there is no sign of another language."""
    sample = text[:20_000]
    letters = sum(1 for c in sample if c.isalpha()) or 1
    for language, pattern in _SCRIPTS:
        # A few Chinese terms in an English spec do not make it Chinese; CJK text is dense.
        if len(pattern.findall(sample)) / letters > (0.05 if language == "ja" else 0.1):
            return language
    words = re.findall(r"[^\W\d_]+", sample.lower())
    counts = {
        language: sum(1 for w in words if w in known) for language, known in _FREQUENT_WORDS.items()
    }
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > 0 else "en"
