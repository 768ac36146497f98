"""Work that a spec names and does not ask agents for: what is done, the future, what its title says
is gone, what people do by hand.

It is planned when a person includes it. What is left of a spec without its done work is asked for as
it stands if it is nothing else.
"""

import re
from collections.abc import Collection, Container, Mapping

from bot.core.plan.authored import EPIC_STORY, bare_id, grouped, story_number
from bot.core.plan.by_hand import is_manual
from bot.core.plan.vocabulary import distinct
from bot.core.spec.priorities import LATER
from bot.core.spec.ticked_tasks import ticked
from bot.core.spec.triage.words import OUT_OF_SCOPE_WORDS, is_future
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Finding, Operation, Requirement, Severity, Spec

# Findings that say that something is not planned.
NOT_PLANNED = frozenset({"marked_done", "tasks_done"})
_LINES_MAX = 30
_DONE = "it is marked as done"
TICKED = "all tasks for them are ticked"
# In brackets, before a colon, or after a dash at the end: a sentence may speak of removed things.
_GONE_WORDS = (
    r"deprecated|obsolete|abolished|withdrawn|dropped|removed|superseded|retired|no longer (?:needed|required)|"
    r"已?废弃|已?弃用|已?删除|已?移除|廃止|削除済み?|폐지|삭제됨|veraltet|entfällt|abgeschafft|obsolète|supprimée?|abandonnée?|"
    r"obsolet[oa]|eliminad[oa]|descartad[oa]|removid[oa]|retirad[oa]|przestarzałe|usunięte|wycofane|устарело|удалено|отменено"
)
_GONE = re.compile(
    rf"[\[(（【]\s*(?:{_GONE_WORDS})\b[^\])）】]{{0,60}}[\])）】]|^\W*+(?:{_GONE_WORDS})\s*[:：–—-]|"
    rf"\s[–—-]\s*(?:{_GONE_WORDS})\W*$|^~~.+~~\W*$|^(?=[\W_]*?[\[(（【])[\W_]*+(?:{_GONE_WORDS})",
    re.IGNORECASE,
)
_DEFERRED = re.compile(
    r"^\W{0,4}\[(?:deferred|later|future|post-?mvp|backlog|v2|aplazado|reporté|zurückgestellt|отложено|推迟|延期|後日)\b[^\]\n]{0,60}\]",
    re.IGNORECASE,
)
# In brackets behind a name: `Scan a cover (future)`, `表紙を認識できること（将来対応）`.
_MARKED = re.compile(
    r"^\W*(?:(?:planned|possible|potential|for|in|an?|the) ){0,3}(?:future\b(?=[^\w\s]|\s[^\w\s]|\s(?:releases?|versions?|phases?|work|features?|enhancements?|iterations?|improvements?|sprints?|milestones?|updates?|"
    r"extensions?|support|development|implementation|plans?|scope|ideas?|options?|considerations?|candidates?|roadmap|use)\b)|later\b|post[- ]?mvp\b|deferred\b|backlog\b|"
    r"stretch(?: goal)?\b|not (?:in|for) (?:the )?(?:mvp|v1|this release)\b|(?:将来|未来|今後|后续|後續|後日)(?!の(?:日|予定))|次(?:期|の?フェーズ|の?バージョン)|"
    r"향후|추후|zukünftig|später|geplant\b|à venir|ultérieur|plus tard|más adelante|a futuro|futur[oa]s?\b|mais tarde|w przyszłości|"
    r"в будущем|на будущее|позже)",
    re.IGNORECASE,
)
# A whole sentence that only says when: `… is planned for a later release`, `…は将来対応とする。`
_LATER_RELEASE = (
    r"(?:the next|a later|later|a future|future|a subsequent|subsequent|phase (?:2|two|ii)|v(?:ersion )?2(?:\.0)?)"
    r"(?:(?<= 2)|(?<=two)|(?<=ii)|(?<=v2)|(?<=2\.0)| (?:phases?|releases?|versions?|iterations?|milestones?|updates?))"
)
_SAYS_LATER = re.compile(
    rf"\b(?:is|are|will be|may be|could be|gets?) (?:planned|deferred|postponed|added|considered|supported|implemented|left|scheduled)"
    rf" (?:for|to|in|until|with) {_LATER_RELEASE}\W*$|"
    r"\bin (?:the|an?) (?:post[- ]?mvp|later|future|subsequent) (?:[\w-]+ ){0,2}(?:release|version|phase|module|iteration)\W*$|"
    r"(?:将来(?:的に(?:は)?)?|今後|次(?:の)?(?:フェーズ|バージョン|リリース)(?:以降)?|第[2二](?:フェーズ|期)|フェーズ\s?2(?:以降)?|後日)(?:で|に|の|は)?"
    r"(?:対応|検討|実装|追加|拡張|開発)(?:(?:と|を)?する|とし|予定(?:とする|である|です)?|事項|課題)?\W*$|"
    r"(?:后续|後續|未来|将来|下一?(?:个)?|二期)(?:版本|阶段|階段|迭代)?(?:再|会|將|将|中)?(?:支持|实现|考虑|扩展|开发|支援|實作|擴充)\W*$|"
    r"(?:향후|추후|다음 단계에서|2차에서) ?(?:에 )?(?:지원|구현|개발|검토|추가)(?:한다| ?(?:할 )?예정(?:이다)?)?\W*$|"
    r"\b(?:wird|werden|folgt|folgen) (?:später|in (?:einer|einem) (?:späteren|zukünftigen|nächsten) (?:version|phase|release|ausbaustufe))"
    r"(?: (?:umgesetzt|ergänzt|unterstützt|ausgeliefert))?\W*$|"
    r"\b(?:será|serán|se) \w+ (?:en|para) una (?:fase|versión) (?:futura|posterior)\W*$|\b(?:será|serão) \w+ (?:em|numa) (?:uma )?(?:fase|versão) (?:futura|posterior)\W*$|"
    r"\b(?:sera|seront) \w+ dans une (?:phase|version) (?:future|ultérieure|suivante)\W*$",
    re.IGNORECASE,
)
# Nothing more than what it is for.
_ENDS = re.compile(
    r"[。. *_]*+(?:$|,? (?:so that|in order to|damit|um|afin|para que|para|чтобы|aby|affinché)\b)",
    re.IGNORECASE,
)
_SENTENCE_MAX = 200
_BRACKETS = re.compile(r"[\[(（【][^\[\]()（）【】]{1,80}[\])）】]")


def put_off(spec: Spec) -> dict[RequirementId, str]:
    """The requirements that are not planned unless a person asks, each with the reason."""
    requirements = distinct(spec)
    said = ticked_in(spec)
    done = {r.id: TICKED for r in requirements if r.id in said}
    done |= {r.id: _DONE for r in requirements if r.id not in done and _is_done(r)}
    found = done | {r.id: why for r in requirements if r.id not in done and (why := _why(r))}
    found |= _with_their_story(spec, found)
    return found if len(found) < len(requirements) else done


def ticked_in(spec: Spec) -> frozenset[RequirementId]:
    """What the list of tasks beside a spec says is built, also by the story to which it belongs."""
    tasks = [task for document in spec.documents for task in document.tasks]
    if not any(task.is_done for task in tasks):
        return frozenset()
    stories = [f"US{n}" for story in spec.stories if (n := story_number(story.title))]
    numbers = [r.source_id for r in spec.requirements if r.source_id]
    said = ticked(tasks, (*numbers, *stories))
    built = {r.id for r in spec.requirements if said.is_built(r)}
    if not said.is_whole and any(name in stories for name in said.names):
        of = {r.id: story_number(r.domain) for r in grouped(spec).requirements}
        built |= {id_ for id_, story in of.items() if story and f"US{story}" in said.names}
    return frozenset(built)


def _with_their_story(spec: Spec, found: Mapping[RequirementId, str]) -> dict[RequirementId, str]:
    """What the author maps to an epic, where the story of it that does this is put off."""
    of = {r.source_id: r.id for r in spec.requirements if EPIC_STORY.match(r.source_id or "")}
    mapped = {bare_id(one.id) for document in spec.documents for one in document.epics}
    if not mapped or not found.keys() & of.values():
        return {}
    stories = {
        r.id: story
        for r in grouped(spec).requirements
        if bare_id(r.source_id or "") in mapped
        and (story := story_number(r.domain))
        and of.get(story) in found
    }
    return {
        id_: f"its story, {story}, is not planned"
        for id_, story in stories.items()
        if id_ not in found
    }


def left_out(spec: Spec, planned: Container[str], covered: Container[str]) -> tuple[str, ...]:
    """A line for each requirement that is put off, with the way to have it planned."""
    requirements = {r.id: r for r in spec.requirements}
    why = {id_: w for id_, w in put_off(spec).items() if id_ not in planned and id_ not in covered}
    if why and len(why) == len(requirements):
        return (_nothing_planned(spec.path, why.values()),)
    called = {id_: requirements[id_].source_id or requirements[id_].title for id_ in why}
    lines = [
        f"{called[id_]}: {w}. To plan it, comment `{_including(id_)}`."
        for id_, w in why.items()
        if w != TICKED
    ]
    if built := [id_ for id_, w in why.items() if w == TICKED]:
        shown = ", ".join(called[id_] for id_ in built[:_LINES_MAX])
        rest = ", …" if len(built) > _LINES_MAX else ""
        lines.append(f"{shown}{rest}: {TICKED}. To plan one, comment `{_including(built[0])}`.")
    more = len(lines) - _LINES_MAX
    return (*lines[:_LINES_MAX], *((f"{more} more",) if more > 0 else ()))


def nothing_planned(spec: Spec) -> Finding | None:
    """What is said of a spec that is all put off; None for every other."""
    why = put_off(spec)
    if not why or len(why) < len({r.id for r in spec.requirements}):
        return None
    first = spec.requirements[0]
    return Finding(
        code="nothing_planned",
        severity=Severity.INFO,
        line=first.line_start,
        quote="",
        question=_nothing_planned(spec.path, why.values()),
        path=first.path,
    )


def _including(id_: RequirementId) -> str:
    return f"/headgate plan include {id_.partition('#')[2]}"


def _nothing_planned(path: str, reasons: Collection[str]) -> str:
    why = "all its tasks are ticked" if set(reasons) == {TICKED} else "all of it is marked as done"
    return (
        f"There is nothing to plan, because {why}. To plan it anyway, comment `/headgate run "
        f"{path}`."
    )


def _is_done(requirement: Requirement) -> bool:
    return requirement.is_done and requirement.operation is None


def _why(requirement: Requirement) -> str:
    if requirement.operation in (Operation.REMOVED, Operation.RENAMED):
        return ""
    if _GONE.search(requirement.title):
        return "its title says that it is no longer valid"
    if any(OUT_OF_SCOPE_WORDS.search(said) for said in _BRACKETS.findall(requirement.title)):
        return "its title says that it is out of scope"
    if is_manual(f"{requirement.title} {requirement.statement}"):
        return "a person does it by hand, and later changes wait for it"
    if _is_marked(requirement):
        return "its name says that it is for later"
    if _DEFERRED.search(requirement.statement) or _says_later(requirement.statement):
        return "its text says that it is for later"
    if requirement.priority == LATER:
        return "its priority says that it is for later"
    if is_future(requirement.domain):
        return f"it is under the heading “{requirement.domain[:80]}”"
    return ""


def _is_marked(requirement: Requirement) -> bool:
    """Whether brackets behind its name say so; where it has no name, those at the end of its text."""
    said = [requirement.title]
    if requirement.statement.startswith(requirement.title.rstrip("…")):
        said.append(requirement.statement.split("\n", 1)[0])
    return any(
        _MARKED.match(found[0])
        for text in said
        for found in _BRACKETS.finditer(text)
        if text is said[0] or _ENDS.match(text[found.end() :])
    )


def _says_later(statement: str) -> bool:
    """Whether all of a short text is one sentence that says so."""
    said = statement.strip()
    is_one = len(said) <= _SENTENCE_MAX and not re.search(r"(?s)[.。!?\n].", said)
    return is_one and _SAYS_LATER.search(said) is not None
