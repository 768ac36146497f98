"""What makes a thing comes before what uses it: events are created before they are rated.

Only names speak: a requirement whose name says that it makes or manages a thing is waited for by later
changes whose names speak of that thing.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bot.core.plan.foundations import FOUNDATION_CONFIDENCE
from bot.core.plan.loose_ends import LOOSE
from bot.core.plan.phrases import is_dense, phrase, role_of, spoken
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.vocabulary import distinct, evidence, stem
from bot.core.values.plan_model import DependencyKind, PlannedChange
from bot.core.values.spec_model import Requirement, Spec, SpecFormat

# Weaker than a foundation and than the author's order.
MAKER_CONFIDENCE = FOUNDATION_CONFIDENCE - 10
# Comparing the names of hundreds of changes with each other tells nothing that a person reads.
_DRAFTS_MAX = 60

_MAKES = re.compile(
    r"^(?:create|add|register|define|set up|upload|import|publish|manage|maintain|record|capture|submit|enter|post|build|"
    r"creating|adding|managing)\b(?:,? (?:and|&|or) \w+|, \w+)*\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_MAKES_ELSEWHERE = re.compile(
    r"^(?:crear|registrar|gestionar|cadastrar|criar|gerenciar|créer|gérer|ajouter|saisir)\s+"
    r"(?:(?:el|la|los|las|un|una|o|os|as|um|uma|le|les|une|des)\s+)?(?P<of>.+)$",
    re.IGNORECASE,
)
_MAKING = re.compile(
    r"^(?!(?:log|audit|track|show|display|notify|list|view|search|filter|export|report|send|restrict|limit|prevent|monitor)\b)"
    r"(?P<what>[^,:;()]{3,40}?)\s+(?:management|creation|registration|crud|administration|catalogu?e?|import|upload|entry)\b"
    r"|^(?:gesti[óo]n|creaci[óo]n|alta|registro|administraci[óo]n|gestão|gerenciamento|cadastro|criação|gestion|création|verwaltung)\s+"
    r"(?:de(?:l| la| los| las)?|d[aeo]s?|des?|du|d['’]|der|von)\s*(?P<of>[^,:;()]{3,40}?)(?:\s+(?:y|e|et)\s|$)"
    r"|^(?:создание|добавление|управление|ведение|регистрация)\s+(?P<thing>\w{4,30})"
    r"|^(?P<object>\w{4,30}) (?:verwalten|anlegen|erfassen|erstellen)$"
    r"|^(?P<compound>\w{4,30}?)(?:verwaltung|anlage|erfassung)\b",
    re.IGNORECASE,
)
_MAKING_DENSE = re.compile(
    r"^(?:[가-힣]+ ){0,2}?(?P<what>[^、，,()（）与和及・\s]{2,12}?)\s?(?:の)?(?:管理|创建|创作|录入|登记|添加|上传|新增|登録|作成|追加|入力|記録|관리|등록|생성|추가)(?!者|员|員)"
)
# `新增食谱`: the thing stands behind.
_MAKES_DENSE = re.compile(
    r"^(?:用户|使用者)?(?:新增|添加|创建|建立|新建|录入|登记|发布|發布|上传|上傳)(?:[与與和及、/]?(?:编辑|編輯|修改|更新|删除|刪除|管理)){0,3}(?P<of>[^、，,()（）与與和及・\s]{2,6})$"
)
_UP_TO = re.compile(
    r"\s(?:to|for|in|on|at|by|from|with|via|per|as|of|into|through|using|that|which|so|when|if|para|con|por|pour|avec|für|mit)\b|[(,;:—–]|\s-\s"
)
# A page of others' things: what is on it is there before.
_SHOWS = re.compile(
    r"^(?:\w+\s+){0,2}(?:dashboards?|statistics|reports?|reporting|analytics|overview|search(?:\s+and\s+filter\w*)?|exports?|history|"
    r"notifications?|estadísticas|informes?|reportes?|panel|búsqueda|resumen|relatórios?|estatísticas|statistiques|"
    r"tableau de bord|rapports?|recherche|statistiken|berichte?|auswertung(?:en)?|suche|übersicht|статистика|отч[её]ты?|поиск|"
    r"уведомления)$|"
    r"^(?:reports?|statistics|statistiken|berichte?|auswertung(?:en)?|relatórios?|estatísticas|informes?|reportes?|estadísticas|"
    r"rapports?|statistiques|отч[её]ты?|статистика)\s+(?:on|of|de|del|dos?|das?|des|über|zu|по|о)\s+\w.{2,60}$|"
    r"^.{0,6}(?:统计|統計|报表|報表|搜索|搜尋|通知|仪表盘|看板|検索|ダッシュボード|レポート|대시보드|통계|리포트|검색|알림)",
    re.IGNORECASE,
)
_HANDS_IN = re.compile(r"^(?:submit|post|enter|publish|maintain|record)\b", re.IGNORECASE)
# `An expense entry` is an expense.
_ENTRY = re.compile(r"(?<=\w)\s+(?:entry|entries|records?|objects?|instances?)$", re.IGNORECASE)
# Nothing is known of a thing that is called only so.
_NO_THING = frozenset(
    stem(word)
    for word in [
        "system",
        "systems",
        "data",
        "page",
        "pages",
        "screen",
        "screens",
        "user",
        "users",
        "information",
        "details",
        "list",
        "lists",
        "view",
        "views",
        "feature",
        "features",
        "support",
        "option",
        "options",
        "settings",
        "function",
        "functions",
        "item",
        "items",
        "content",
        "management",
        "interface",
        "application",
        "app",
        "platform",
        "service",
        "services",
        "project",
        "sistema",
        "datos",
        "dados",
        "datenbank",
        "usuarios",
        "usuários",
        "daten",
        "system",
        "process",
        "request",
        "requests",
        "result",
        "results",
        "report",
        "reports",
        "type",
        "types",
        "setup",
        "configuration",
        "tests",
        "test",
        "code",
        "file",
        "files",
        "api",
        "button",
        "form",
        "forms",
        "dashboard",
        "module",
        "component",
        "components",
        "status",
        "error",
        "errors",
        "new",
    ]
)


def maker_needs(spec: Spec, drafts: Sequence[PlannedChange]) -> tuple[Need, ...]:
    """Soft dependencies of later changes on the first that makes what they speak of."""
    return tuple(_by_things(members_compared(spec, drafts), by_name=_is_listed_by_name(spec)))


def members_compared(spec: Spec, drafts: Sequence[PlannedChange]) -> list[list[Requirement]]:
    """The requirements of each change; nothing where there are too many changes to compare, or one."""
    if not 1 < len(drafts) <= _DRAFTS_MAX:
        return []
    requirements = {r.id: r for r in distinct(spec)}
    return [[requirements[r] for r in d.requirements if r in requirements] for d in drafts]


def _is_listed_by_name(spec: Spec) -> bool:
    """Whether capabilities stand one after another only as folders are listed: no author has ordered them."""
    paths = [document.path for document in spec.documents if document.requirements]
    of_openspec = (SpecFormat.OPENSPEC, SpecFormat.OPENSPEC_DELTA)
    is_openspec = all(document.format in of_openspec for document in spec.documents)
    return is_openspec and paths == sorted(paths)


def _by_things(members: Sequence[Sequence[Requirement]], *, by_name: bool) -> list[Need]:
    made: dict[str, int] = {}
    # Who submits or records a thing makes it only where nobody creates it.
    for is_made in (lambda one: not _HANDS_IN.match(phrase(one)), lambda _: True):
        for at, own in enumerate(members):
            for thing in frozenset[str]().union(*map(_things, filter(is_made, own))):
                made.setdefault(thing, at)
    in_groups = len({one.domain for own in members for one in own}) > 1
    needs = []
    for at, own in enumerate(members):
        said = "\n".join(_said(one, in_groups=in_groups) for one in own)
        words = {stem(word) for word in re.findall(r"\w{3,}", said)}
        shows = bool(own) and all(_only_shows(one, in_groups=in_groups) for one in own)
        for thing, maker in made.items():
            if not own or not members[maker] or maker == at:
                continue
            elsewhere = by_name and own[0].path != members[maker][0].path
            # What is made behind the author's back is waited for only by a page of such things.
            if maker > at and not shows and not elsewhere:
                continue
            if thing in said if is_dense(thing) else thing in words:
                needs.append(need_of_maker(own[0], members[maker][0]))
    return needs


def need_of_maker(user: Requirement, on: Requirement) -> Need:
    why = evidence(on.path, on.line_start, on.title or on.statement)
    return Need(user.id, on.id, DependencyKind.FOUNDATION, why, MAKER_CONFIDENCE)


def _names(requirement: Requirement) -> str:
    return f"{phrase(requirement)}\n{spoken(requirement.domain)}"


def _said(requirement: Requirement, *, in_groups: bool) -> str:
    """Its names, and who wishes it; all of its text, if it only shows what others make."""
    # What all of a spec is called tells none from another.
    names = _names(requirement) if in_groups else phrase(requirement)
    if _only_shows(requirement, in_groups=in_groups):
        criteria = "\n".join(scenario.text for scenario in requirement.scenarios)
        return f"{names}\n{requirement.statement}\n{criteria}"
    role = role_of(requirement.statement) or role_of(requirement.title)
    return f"{names}\n{role}"


def _only_shows(requirement: Requirement, *, in_groups: bool) -> bool:
    """By its name; by its group's, where not all stands in one."""
    names = [phrase(requirement), *([spoken(requirement.domain)] if in_groups else [])]
    return any(_SHOWS.match(name) for name in names)


def _things(requirement: Requirement) -> frozenset[str]:
    """Stems of the things that the requirement makes; their names, where there are no spaces."""
    return frozenset(
        thing for name in (phrase(requirement), spoken(requirement.domain)) for thing in _made(name)
    )


@lru_cache(maxsize=4_000)
def _made(name: str) -> frozenset[str]:
    if is_dense(name):
        found = _MAKING_DENSE.match(name)
        behind = _MAKES_DENSE.match(name)
        named = (found and found["what"], behind and behind["of"])
        return frozenset(thing for thing in named if thing)
    found = _MAKES.match(name) or _MAKES_ELSEWHERE.match(name) or _MAKING.match(name)
    if found is None:
        return frozenset()
    groups = found.groupdict()
    what = next((groups[k] for k in ("what", "compound", "object", "thing") if groups.get(k)), None)
    said = _ENTRY.sub("", _UP_TO.split(what or groups.get("of") or "", maxsplit=1)[0].strip())
    heads = [
        # In Romance languages a thing stands before what is said of it.
        words[-1 if what else 0]
        for part in re.split(r"\s(?:and|&|y|e|et|und|or)\s", said)
        if (words := re.findall(r"\w{3,}", part))
    ]
    things = (stem(head) for head in heads if head.casefold() not in LOOSE)
    return frozenset(thing for thing in things if thing not in _NO_THING)
