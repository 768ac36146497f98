"""Work that a spec names and does not ask agents for: what is done, the future, what its title says
is gone, what people do by hand.

It is planned when a person includes it. What is left of a spec without its done work is asked for as
it stands if it is nothing else.
"""

import re
from collections.abc import Container

from bot.core.plan.by_hand import is_manual
from bot.core.plan.vocabulary import distinct
from bot.core.spec.priorities import LATER
from bot.core.spec.triage.words import OUT_OF_SCOPE_WORDS, is_future
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Operation, Requirement, Spec

_LINES_MAX = 30
_DONE = "it is marked as done"
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
_BRACKETS = re.compile(r"[\[(（【][^\[\]()（）【】]{1,80}[\])）】]")


def put_off(spec: Spec) -> dict[RequirementId, str]:
    """The requirements that are not planned unless a person asks, each with the reason."""
    requirements = distinct(spec)
    done = {r.id: _DONE for r in requirements if _is_done(r)}
    found = done | {r.id: why for r in requirements if r.id not in done and (why := _why(r))}
    return found if len(found) < len(requirements) else done


def left_out(spec: Spec, planned: Container[str], covered: Container[str]) -> tuple[str, ...]:
    """A line for each requirement that is put off, with the way to have it planned."""
    requirements = {r.id: r for r in spec.requirements}
    lines = [
        f"{requirements[id_].source_id or requirements[id_].title}: {why}. To plan it, comment "
        f"`/headgate plan include {id_.partition('#')[2]}`."
        for id_, why in put_off(spec).items()
        if id_ not in planned and id_ not in covered
    ]
    more = len(lines) - _LINES_MAX
    return (*lines[:_LINES_MAX], *((f"{more} more",) if more > 0 else ()))


def _is_done(requirement: Requirement) -> bool:
    return requirement.is_done and requirement.operation is None


def _why(requirement: Requirement) -> str:
    if requirement.operation in (Operation.REMOVED, Operation.RENAMED):
        return ""
    if _GONE.search(requirement.title):
        return "its title says that it is gone"
    if any(OUT_OF_SCOPE_WORDS.search(said) for said in _BRACKETS.findall(requirement.title)):
        return "its title says that it is out of scope"
    if is_manual(f"{requirement.title} {requirement.statement}"):
        return "a person does it by hand, and the changes after it wait for that"
    if _DEFERRED.search(requirement.statement):
        return "its text says that it is for later"
    if requirement.priority == LATER:
        return "its priority says that it is for later"
    if is_future(requirement.domain):
        return f"it stands under “{requirement.domain[:80]}”"
    return ""
