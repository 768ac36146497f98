"""The name of a change: a slug for branches and a title for people.

A slug is made of ASCII words, valid in a branch name and unique in its plan. A change with a whole
domain has the domain's name; a part of one adds words of its first requirement. Without ASCII
letters the author's id is used, else a hash.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from bot.core.plan.parts import Part
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import ChangeType
from bot.core.values.spec_model import Requirement

# Room for `headgate/<spec>/` before it in a branch name that people can still read in a list.
SLUG_MAX = 48
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_TITLE_MAX = 120
_TITLES_SHOWN = 2
# In some formats the title is the whole sentence, and the first words of all of them are equal.
_NAME_MAX = 40
_SENTENCE_MIN = 60
# Letters that Unicode does not decompose into an ASCII letter and a mark.
_ASCII = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def slugify(text: str) -> str:
    """Cut after a whole word; empty if the text has no ASCII words."""
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
    """One slug for each part, unique; the first in file order keeps the short form."""
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
    about = _about(first)
    domain = _readable(part.domain.rpartition("/")[2]) or _readable(part.domain)
    if part.contract:
        return slugify(f"{domain or about} contract")
    if domain and whole and len(part.requirements) > 1:
        return domain
    if not domain or part.domain == spec_key or about.startswith(domain):
        return about
    return slugify(f"{domain} {about}")


def _about(requirement: Requirement) -> str:
    """The title, unless it is a whole sentence or not ASCII; then the author's id."""
    title_slug = _readable(requirement.title)
    source = slugify(requirement.source_id or "")
    if title_slug and (len(requirement.title) <= _SENTENCE_MIN or not source):
        return title_slug
    digest = hashlib.sha256(requirement.id.encode(errors="replace")).hexdigest()[:8]
    return source or f"part-{digest}"


def _readable(text: str) -> str:
    """The slug, if it keeps at least half of the text's letters; else empty."""
    slug = slugify(text)
    said = sum(character.isalnum() for character in slug)
    whole = min(sum(character.isalnum() for character in text), SLUG_MAX)
    return slug if 2 * said >= whole and re.search("[a-z]", slug) else ""


def title(part: Part, members: Sequence[Requirement], kind: ChangeType, spec_key: str) -> str:
    names = [_name(member) for member in members]
    if len(names) > 1:
        names = [_cut(name, _NAME_MAX) for name in names]
    shown = ", ".join(names[:_TITLES_SHOWN])
    if len(names) > _TITLES_SHOWN:
        shown += f" and {len(names) - _TITLES_SHOWN} more"
    if kind is ChangeType.REMOVAL:
        shown = f"Remove {shown}"
    elif kind is ChangeType.CONTRACT:
        shown = f"Contract: {shown}"
    if len(names) > 1 and part.domain != spec_key:
        shown = f"{_cut(_spoken(part.domain), _NAME_MAX)}: {shown}"
    return _cut(shown, _TITLE_MAX)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _name(requirement: Requirement) -> str:
    words = requirement.title.split() or requirement.statement.split()
    return " ".join(words) or requirement.source_id or requirement.id


def _spoken(domain: str) -> str:
    words = re.sub(r"[-_./\s]+", " ", domain).strip() or domain
    return words[:1].upper() + words[1:]
