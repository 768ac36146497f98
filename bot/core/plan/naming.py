"""What a change is called: a slug for branches and a title for people.

A slug is made of ASCII words, valid in a branch name and unique in its plan. A change that is a
whole domain bears its name; a piece of one adds what its first requirement says. Letters without
an ASCII form fall back on the author's id, then on a hash of the title.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from bot.core.ids import RequirementId, Slug
from bot.core.plan.model import ChangeType
from bot.core.plan.parts import Part
from bot.core.spec.model import Requirement

# Room for `headgate/<spec>/` before it in a branch name that people can still read in a list.
SLUG_MAX = 48
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_TITLE_MAX = 100
_TITLES_SHOWN = 2
# Letters that do not come apart into an ASCII letter and a mark.
_ASCII = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def slugify(text: str) -> str:
    """The ASCII words of `text` with hyphens, cut after a whole word; empty if it has none."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_ASCII))
    words = re.findall(r"[a-z0-9]+", re.sub(r"[\u0300-\u036f'’]", "", plain))
    slug = "-".join(words)
    if len(slug) <= SLUG_MAX:
        return slug
    cut = slug[: SLUG_MAX + 1].rpartition("-")[0]
    return cut or slug[:SLUG_MAX]


def slugs(
    parts: Sequence[Part], requirements: Mapping[RequirementId, Requirement], spec_key: str
) -> tuple[Slug, ...]:
    """One slug for each part, unique; the first in file order keeps the plain form."""
    pieces = Counter(part.domain for part in parts if not part.contract)
    taken: set[str] = set()
    result: list[Slug] = []
    for part in parts:
        first = requirements[part.requirements[0]]
        wanted = _wanted(part, first, whole=pieces[part.domain] == 1, spec_key=spec_key)
        slug, times = wanted, 1
        while slug in taken:
            times += 1
            slug = f"{wanted[: SLUG_MAX - len(str(times)) - 1].rstrip('-')}-{times}"
        taken.add(slug)
        result.append(Slug(slug))
    return tuple(result)


def _wanted(part: Part, first: Requirement, *, whole: bool, spec_key: str) -> str:
    domain = _word(part.domain.rpartition("/")[2] or part.domain, part.domain)
    if part.contract:
        return slugify(f"{domain} contract")
    if whole and len(part.requirements) > 1:
        return domain
    about = _about(first)
    if part.domain == spec_key or about.startswith(domain):
        return about
    return slugify(f"{domain} {about}")


def _about(requirement: Requirement) -> str:
    return _word(requirement.title, requirement.source_id or "", requirement.id)


def _word(*texts: str) -> str:
    """The slug of the first text that has one, else a hash of the last."""
    digest = hashlib.sha256(texts[-1].encode(errors="replace")).hexdigest()[:8]
    return next((slug for text in texts if (slug := slugify(text))), f"part-{digest}")


def title(part: Part, requirements: Mapping[RequirementId, Requirement], kind: ChangeType) -> str:
    """What a person reads in a list of issues."""
    names = [_name(requirements[r]) for r in part.requirements]
    shown = ", ".join(names[:_TITLES_SHOWN])
    if len(names) > _TITLES_SHOWN:
        shown += f" and {len(names) - _TITLES_SHOWN} more"
    if kind is ChangeType.REMOVAL:
        shown = f"Remove {shown}"
    elif kind is ChangeType.CONTRACT:
        shown = f"Contract: {shown}"
    if len(names) > 1:
        shown = f"{_spoken(part.domain)}: {shown}"
    return shown if len(shown) <= _TITLE_MAX else shown[: _TITLE_MAX - 1].rstrip() + "…"


def _name(requirement: Requirement) -> str:
    words = requirement.title.split() or requirement.statement.split()
    return " ".join(words) or requirement.source_id or requirement.id


def _spoken(domain: str) -> str:
    words = re.sub(r"[-_./\s]+", " ", domain).strip() or domain
    return words[:1].upper() + words[1:]
