"""What the text of a requirement uses of another one: by its id, or by the words of its name.

`uses the session of Requirement 2` is said; so is `the match score`, where the requirement before it is
called `Match score storage`. Words that much of the spec uses tell nothing, and what is told later is not
used by what stands before it.
"""

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise

from bot.core.plan.authored import EPIC_STORY, story_number
from bot.core.plan.foundations import FOUNDATION_CONFIDENCE
from bot.core.plan.phrases import NAME_MAX, is_wish, phrase
from bot.core.plan.stated_dependencies import Names, Need
from bot.core.plan.vocabulary import distinct, evidence, stem
from bot.core.values.plan_model import DependencyKind
from bot.core.values.spec_model import Requirement, Spec

# Said in words, and yet no `depends on`.
MENTION_CONFIDENCE = 70
# Weaker than what a name says that it makes.
NAMED_THING_CONFIDENCE = FOUNDATION_CONFIDENCE - 15
# A text that names more of them is a list of the whole.
_MENTIONS_MAX = 4
# What more of the requirements speak of is what all of the spec is about.
_BEARERS_MIN, _SHARE, _OF = 3, 2, 5
_SAME = 20
_MENTION = re.compile(
    r"(?:(?<!\w)(?:requirements?|req\.?|stor(?:y|ies)|requisitos?|anforderung(?:en)?|exigences?|требовани\w{1,3})|"
    r"需求|要件|要求|요구사항)\s?#?(?P<number>\d{1,3})(?:\.\d{1,3})?(?![A-Za-z\d_])|"
    r"(?<![\w-])(?P<id>[A-Z][A-Z0-9]{0,9}(?:-[A-Z0-9]{1,10}){0,3}-?\d{1,4})(?![\w-])",
    re.IGNORECASE,
)
# Before the id: it is not used, or it is what uses this one.
_NOT_USED = re.compile(
    r"(?:\b(?:supersed|replac|obsolet|unlike|instead|except|independent|regardless|conflict|contradict|separate|differ|outside|alias|formerly|"
    r"used by|needed by|required by|consumed by|prerequisite|before|blocks?\b|enables?\b|feeds?\b|ersetzt|reemplaza|remplace|substitui|заменя)|"
    r"取代|替代|代替|置き換え|대체|之前)[^.;。；\n]{0,30}$",
    re.IGNORECASE,
)
_BEFORE = 60
_WORD = re.compile(r"[^\W\d_]{4,}|[A-Z][A-Z0-9]{1,9}(?!\w)")
_SHAPED = re.compile(r"[a-z][A-Z]")
_PART_END = re.compile(r"[.,;:()!?\n]")
_DENSE_RUN = re.compile(r"[\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4,}")
_DENSE_MIN, _DENSE_MAX = 4, 12
_DENSE_END = re.compile(
    r"(?:管理|处理|處理|功能|机制|機制|系统|系統|界面|页面|頁面|生成|计算|計算|展示|显示|顯示|优化|優化|设计|設計|实现|實現|集成|整合|检测|偵測|"
    r"存储|儲存|機能|処理|画面|表示|作成|登録|관리|기능|처리|생성|계산|표시|화면)$"
)
# What any requirement of any product may speak of.
_ANYWHERE_WORDS = """
system systems application service services user users data page pages view views list lists management handling
support feature features function functionality process processing display error errors message messages validation
validate test tests testing logging monitoring performance security configuration integration implementation
create build implement setup provide enable initialize integrate define update delete remove edit manage show track
operation operations time real details information input output values valid invalid current multiple automatic
existing available following previous next first last used new own further given default existente existentes
bestehende bestehenden existant existante
must shall should will when then with without from into that this each every only their have been between before
after during while where which whose other same based name names type types property properties
sistema usuario usuarios usuário usuários datos dados página gestión gestão debe deve permitir para cuando quando
entonces então sobre entre cada utilisateur utilisateurs données système doit gestion pour dans avec alors chaque
daten benutzer nutzer seite muss kann wird wenn dann über oder nicht eine einen einer einem
pela pelo pelas pelos numa nessa dessa deste desta seus suas dela dele desde hasta esta este estas estos della delle
dello nella nelle degli leur leurs cette sous depuis beim durch nach ihre ihrer seine seiner этот этой свой своей
система пользователь пользователя пользователи данные должна должен когда тогда если может через после управление
"""
_ANYWHERE = frozenset(stem(word) for word in _ANYWHERE_WORDS.split())
_PLAIN_INITIALS_WORDS = """
API CLI UX UI CRUD MVP HTTP HTTPS JSON URL SHALL MUST SHOULD WHEN THEN GIVEN WHERE WHILE AND NOT MAY THE FOR END
"""
_PLAIN_INITIALS = frozenset(_PLAIN_INITIALS_WORDS.split())


def mention_needs(spec: Spec) -> tuple[Need, ...]:
    """Soft dependencies, those by ids before those by names; the latter where no stories give an order."""
    requirements = distinct(spec)
    is_told = any(
        story_number(one.domain) or EPIC_STORY.match(one.source_id or "") for one in requirements
    )
    return (*_by_ids(requirements, Names(spec)), *(() if is_told else _by_names(requirements)))


def _by_ids(requirements: Sequence[Requirement], names: Names) -> list[Need]:
    needs: list[Need] = []
    known = {r.id: r for r in requirements}
    for user in requirements:
        own = {user.source_id, user.title}
        told: dict[str, Need] = {}
        for line in _lines(user):
            for found in _MENTION.finditer(line):
                target = found["number"] or found["id"]
                before = line[max(found.start() - _BEFORE, 0) : found.start()]
                if target in own or _NOT_USED.search(before):
                    continue
                for on in names.named(user, target):
                    if on == user.id or _is_part(known[on], user):
                        continue
                    if not _is_told_before(user, known[on]):
                        quoted = evidence(user.path, user.line_start, line)
                        kind = DependencyKind.EXPLICIT
                        need = Need(user.id, on, kind, quoted, MENTION_CONFIDENCE)
                        told.setdefault(on, need)
        if len(told) <= _MENTIONS_MAX:
            needs += told.values()
    return needs


def _is_told_before(one: Requirement, other: Requirement) -> bool:
    """Whether its story has a lower number: a story that speaks of a later one does not wait for it."""
    first, second = (EPIC_STORY.match(story_number(r.domain) or "") for r in (one, other))
    if not (first and second) or one.path != other.path:
        return False
    return (int(first[1]), int(first[2])) < (int(second[1]), int(second[2]))


def _is_part(one: Requirement, of: Requirement) -> bool:
    """Whether it stands in the other's own lines, which name it and do not use it."""
    return one.path == of.path and of.line_start < one.line_start <= of.line_end


def _lines(requirement: Requirement) -> list[str]:
    texts = (requirement.statement, *(scenario.text for scenario in requirement.scenarios))
    return [line for text in texts for line in text.splitlines() if line.strip()]


def _by_names(requirements: Sequence[Requirement]) -> list[Need]:
    first: dict[str, int] = {}
    for at, one in enumerate(requirements):
        if _is_called(one):
            for thing in _things(phrase(one)):
                first.setdefault(thing, at)
    if not first:
        return []
    said = [_named(one, first) for one in requirements]
    bearers = Counter(thing for things in said for thing in things)
    most = max(_BEARERS_MIN, _SHARE * len(requirements) // _OF)
    needs: dict[tuple[int, int], Need] = {}
    for at, (one, things) in enumerate(zip(requirements, said, strict=True)):
        # Who says what they need, needs nothing else.
        for thing, words in () if one.references else things.items():
            on = first[thing]
            if on < at and bearers[thing] <= most and (at, on) not in needs:
                maker = requirements[on]
                quoted = evidence(one.path, one.line_start, f"{words}, of {maker.title}")
                kind = DependencyKind.FOUNDATION
                needs[at, on] = Need(one.id, maker.id, kind, quoted, NAMED_THING_CONFIDENCE)
    return list(needs.values())


def _is_called(requirement: Requirement) -> bool:
    """Whether its author gave it a name, apart from its text."""
    name, said = requirement.title.strip(), requirement.statement.strip(" *_`#-")
    is_name = bool(name) and len(name) <= NAME_MAX and not is_wish(name)
    return is_name and not said.startswith(name[:_SAME])


def _named(requirement: Requirement, first: Container[str]) -> dict[str, str]:
    """The things of all names of which its name and its text speak."""
    lines = (phrase(requirement), *_lines(requirement))
    return {
        thing: words
        for line in lines
        for thing, words in _things(line, is_name=False).items()
        if thing in first
    }


def _things(text: str, *, is_name: bool = True) -> dict[str, str]:
    """Two words beside each other, a name in a spelling of its own, or signs of a script without spaces."""
    found: dict[str, str] = {}
    for run in _DENSE_RUN.findall(text):
        if is_name:
            run = _DENSE_END.sub("", run)
            found |= {run: run} if _DENSE_MIN <= len(run) <= _DENSE_MAX else {}
        else:
            for at in range(len(run)):
                found |= {
                    run[at:end]: run[at:end]
                    for end in range(at + _DENSE_MIN, min(at + _DENSE_MAX, len(run)) + 1)
                }
    for part in _PART_END.split(text):
        words = _WORD.findall(part)
        # `OpenAI` in a longer name is of somebody else.
        if not is_name or len(words) == 1:
            found |= {word: word for word in words if _SHAPED.search(word)}
        found |= {
            f"{stem(one)} {stem(other)}": f"{one} {other}"
            for one, other in pairwise(words)
            if not {one, other} & _PLAIN_INITIALS and not {stem(one), stem(other)} & _ANYWHERE
        }
    return found
