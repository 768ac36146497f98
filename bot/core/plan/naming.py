"""The name of a change: a slug for branches and a title for people.

A change is named after what its requirements share: their group, else the words that they have in
common, else the first of them. No two changes of a plan have one title. A slug is made of ASCII
words, valid in a branch name and unique in its plan; kana, hangul, Greek and Cyrillic are spelled in
Latin letters where that keeps most of the name. Else the spec's own name and a number are used.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot.core.plan.authored import EPIC_STORY, story_number
from bot.core.plan.foundations import says_only_foundation
from bot.core.plan.leads import as_written, shared_lead, shared_words, without_shared_lead
from bot.core.plan.parts import Part
from bot.core.plan.phrases import (
    NAME_MAX,
    is_dense,
    is_wish,
    phrase,
    plain_heading,
    spoken,
    spoken_title,
    telling_words,
)
from bot.core.plan.slugs import IDEOGRAPH, SLUG_MAX, TO_SPELL, ascii_names, readable, slugify
from bot.core.plan.vocabulary import names_the_whole, stem
from bot.core.plan.whole_title import title_of_whole
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import ChangeType
from bot.core.values.spec_model import Requirement, Spec, SpecFormat

# People type no longer names than this, where they have a choice.
_SLUG_WORDS_MAX = 5
# All names are listed if they fit, shortened where they must be; else so many as fit in less.
_LIST_MAX = 110
_FIRST_MAX = 80
_NAMES_MAX = (60, 44)
_FEW = 2
_IN_PIECE_MAX = 3
_AND = {
    "en": " and ",
    "es": " y ",
    "pt": " e ",
    "it": " e ",
    "fr": " et ",
    "de": " und ",
    "pl": " i ",
    "ru": " и ",
    "vi": " và ",
    "id": " dan ",
    "tr": " ve ",
}
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_REQUIREMENTS_AT_END = re.compile(
    r"\s?(?:の?(?:要件|要求)|需求|要求)(?=$|[（(：:])|(?<!\s)\s++(?:requirements|(?:feature )?specs?|feature specifications?)$",
    re.IGNORECASE,
)
_NUMBERED_REQUIREMENT = re.compile(r"^Requirement \d+$")
_NUMBERED_CONDITION = re.compile(r"^(?:condition|section|requirement)\s+\d+(?:\.\d+)*$", re.I)


# `Classify errors into the following categories`: the list is what it says.
_ANNOUNCES = re.compile(
    r"\b(?:the following|as follows|folgende[nrs]?|suivante?s?|siguientes?|seguintes?|seguenti|następujące|следующи[ехй]\w?)\b|以下|下列|次の|다음",
    re.IGNORECASE,
)
_OBLIGES = re.compile(r"\b(?:MUST|SHALL|SHOULD)\b")

# `docs/prd/requirements.md` says what it is, and not of what.
_KIND_OF_FOLDER = re.compile(
    r"(?:prds?|srs|frd|docs?|specs?|requirements?|stories|epics?|planning)?"
)


class Names:
    """Slugs and titles of the parts of one spec."""

    def __init__(
        self,
        spec: Spec,
        parts: Sequence[Part],
        requirements: Mapping[RequirementId, Requirement],
    ) -> None:
        self._spec = spec
        self._parts = parts
        self._requirements = requirements
        self._pieces = Counter(part.domain for part in parts if not part.is_first)
        self._domains = Counter(part.domain for part in parts)
        self._piece = _pieces(parts)
        self._numbered: frozenset[str] = frozenset()
        self._and = _and_of(spec)
        self._leaf = _leaf(spec)
        self._unspelled = 0
        self._initials = _initials(requirements.values())
        named = {id_: phrase(r) for id_, r in requirements.items()}
        total = Counter(named.values())
        self._alike = frozenset(id_ for id_, name in named.items() if total[name] > 1)
        self._words = {id_: telling_words(r) for id_, r in requirements.items()}
        self._bearers = Counter(
            s for words in self._words.values() for s in {stem(w) for w in words}
        )

        # Pieces of a group are numbered where one of them has no room for its names.
        self._numbered = frozenset(
            part.domain for part in parts if self._piece[part][1] > 1 and not self._has_room(part)
        )

    def _phrase(self, member: Requirement, most: int = NAME_MAX) -> str:
        """Its name; what stands behind a dash, too, where others have the same before it."""
        name = phrase(member, most)
        if member.id not in self._alike:
            return name
        whole = spoken_title(member.title)
        return whole if len(name) < len(whole) <= NAME_MAX else name

    def slugs(self) -> tuple[Slug, ...]:
        """One slug for each part, unique; the first in file order keeps the short form."""
        taken: set[str] = set()
        # Where the search for a free number went last, so that a thousand equal names are no square.
        tried: Counter[str] = Counter()
        result: list[Slug] = []
        for part in self._parts:
            wanted = self._slug(part)
            slug, times = wanted, tried[wanted] or 1
            while slug in taken:
                times += 1
                slug = _numbered(wanted, times)
            tried[wanted] = times
            taken.add(slug)
            result.append(Slug(slug))
        return tuple(result)

    def titles(self, kinds: Sequence[ChangeType], order: Sequence[Part] = ()) -> tuple[str, ...]:
        """One title for each part; equal ones are told apart by all names, else by the author's ids.

        Pieces of a group are numbered in `order`, else as the parts stand.
        """
        self._piece = _pieces(order or self._parts)
        both = list(zip(self._parts, kinds, strict=True))
        named = [self._title(part, kind) for part, kind in both]
        equal = Counter(t.casefold() for t in named)
        named = [
            self._title(part, kind, listed=True)
            if equal[title.casefold()] > 1 and self._has_room(part)
            else title
            for (part, kind), title in zip(both, named, strict=True)
        ]
        total, seen = Counter(t.casefold() for t in named), Counter[str]()
        titles = []
        for part, title in zip(self._parts, named, strict=True):
            same = title.casefold()
            seen[same] += 1
            first = self._members(part)[0].source_id or str(seen[same])
            titles.append(f"{title} ({first})" if total[same] > 1 else title)
        return tuple(titles)

    def _title(self, part: Part, kind: ChangeType, *, listed: bool = False) -> str:
        members = self._members(part)
        group = self._group(part)
        names = [self._phrase(member) for member in members]
        if len(names) == 1 and not self._is_story(part):
            # A sentence that is no deed says less than the heading above it.
            is_sentence = _ANNOUNCES.search(names[0]) or _OBLIGES.search(names[0])
            says_less = group and self._is_whole(part) and is_sentence
            shown, group = group if says_less else names[0], ""
        elif listed and len(members) == 1 and self._is_story(part):
            shown, group = spoken_title(members[0].title), ""
        elif self._is_whole(part) and (group or self._spec_title()):
            shown, group = group or self._spec_title(), ""
        elif not listed and (common := self._common(part)):
            at, of = self._piece[part]
            is_numbered = of > 1 and group and part.domain in self._numbered
            shown = common
            if is_numbered:
                shown, group = f"{group} ({at}/{of}): {_without_group(common, group)}", ""
        else:
            shown, group = self._listed(part, group), ""
        if group and not shown.casefold().startswith(group.casefold()):
            shown = f"{group}: {shown}"
        if kind is ChangeType.REMOVAL:
            shown = f"Remove {shown}"
        elif part.contract:
            shown = f"Contract: {shown}"
        return shown

    def _listed(self, part: Part, group: str) -> str:
        """All names, shortened where they must be; else the first of a numbered piece."""
        names = without_shared_lead(self._names(part))
        at, of = self._piece[part]
        if of > 1 and group and part.domain in self._numbered:
            # Of one name alone, all of it has room.
            whole_first = self._phrase(self._members(part)[0])
            first_name = whole_first if whole_first.startswith(names[0]) else names[0]
            return f"{group} ({at}/{of}): {_without_group(first_name, group)}"
        shown = self._joined(names)
        whole = {self._phrase(member) for member in self._members(part)}
        if (
            len(shown) <= _LIST_MAX
            and not group
            and len(names) <= _FEW
            and len(whole) == len(names)
        ):
            # A sentence that is cut says less than the first one as a whole.
            cut = sum(len(name) for name in names) < sum(len(name) for name in whole)
            shown = self._phrase(self._members(part)[0]) if cut else shown
        whole_title = "" if group else self._document_title()
        if whole_title and of > 1 and part.domain in self._numbered:
            # All pieces have a number, or none has.
            is_short = len(names) <= _IN_PIECE_MAX and len(shown) <= _LIST_MAX
            return f"{whole_title} ({at}/{of}): {shown if is_short else names[0]}"
        if len(shown) > _LIST_MAX:
            first = [
                name for n, name in enumerate(names) if len(", ".join(names[: n + 1])) <= _FIRST_MAX
            ]
            shown = ", ".join([*(first or names[:1]), "…"])
        return f"{group}: {shown}" if group else shown

    def _names(self, part: Part) -> list[str]:
        """As long as they have room, else shortened."""
        for most in _NAMES_MAX:
            first, *others = self._members(part)
            shown = [
                self._phrase(first, most),
                *(self._inside(m, self._phrase(m, most)) for m in others),
            ]
            names = list(dict.fromkeys(shown))
            if len(self._joined(names)) <= _LIST_MAX:
                return names
        first, *others = self._members(part)
        most = _NAMES_MAX[0]
        return [
            self._phrase(first, most),
            *(self._inside(m, self._phrase(m, most)) for m in others),
        ]

    def _has_room(self, part: Part) -> bool:
        return len(self._joined(self._names(part))) <= _LIST_MAX

    def _joined(self, names: Sequence[str]) -> str:
        between = _between(names, self._and)
        return between.join([", ".join(names[:-1]), names[-1]] if names[1:] else names)

    def _inside(self, member: Requirement, name: str) -> str:
        """Without the capital that it got as a title, where another name stands before it."""
        word, _, rest = name.partition(" ")
        is_title = re.search(r"\b[A-Z][a-z]", rest)
        if is_title or word == word.lower() or not re.match(r"[a-z]|[A-Z]{2}|[A-Z]\d", rest):
            return name
        said = f"{member.title} {member.statement}"
        is_plain = re.search(rf"\b{re.escape(word.lower())}\b", said)
        return word.lower() + name[len(word) :] if is_plain else name

    def _members(self, part: Part) -> list[Requirement]:
        return [self._requirements[r] for r in part.requirements]

    def _is_whole(self, part: Part) -> bool:
        alone = self._domains[part.domain] == 1
        if part.foundation:
            return alone and not says_only_foundation(part.domain)
        return not part.is_first and self._pieces[part.domain] == 1

    def _is_story(self, part: Part) -> bool:
        """Whether it is all of a story, or of a step that does one without a title: people call the work so."""
        if not self._is_whole(part):
            return False
        one = self._members(part)[0] if len(part.requirements) == 1 else None
        is_untitled = one is not None and bool(self._group(part)) and is_wish(one.title)
        return is_untitled or story_number(part.domain) is not None

    def _group(self, part: Part) -> str:
        """The group's name, if it says more than the spec's own."""
        # What its author calls the change tells more than its one capability.
        is_delta = any(d.format is SpecFormat.OPENSPEC_DELTA for d in self._spec.documents)
        if is_delta and len(self._parts) == 1 and "-" in self._leaf:
            return self._spelled(spoken(self._leaf))
        if part.domain == self._spec.key or _says_nothing(part.domain, self._spec):
            return ""
        said = spoken(_REQUIREMENTS_AT_END.sub("", part.domain, count=1) or part.domain)
        return self._spelled(said) if re.fullmatch(r"[a-z0-9._-]+", part.domain) else said

    def _spelled(self, name: str) -> str:
        """A folder's name with the capitals that its words have in the text: `CV masking`."""
        return " ".join(
            word.upper() if word.upper() in self._initials else word for word in name.split(" ")
        )

    def _spec_title(self) -> str:
        """The document's title, for a spec of one change."""
        return "" if len(self._parts) > 1 else self._document_title()

    def _document_title(self) -> str:
        title = title_of_whole(self._spec)
        is_named = title == "" and not _KIND_OF_FOLDER.fullmatch(self._leaf)
        return title or (spoken(self._leaf) if is_named else "")

    def _common(self, part: Part) -> str:
        known = {stem(w) for w in re.findall(r"\w+", self._group(part))}
        lead = shared_lead([self._phrase(member) for member in self._members(part)])
        if lead and not {stem(w) for w in re.findall(r"\w+", lead)} <= known:
            return lead
        members = [self._words[r] for r in part.requirements]
        words = shared_words(members, self._bearers, len(self._words))
        words = () if {stem(w) for w in words} <= known else words
        if not words:
            return ""
        said = as_written(words, [self._phrase(self._requirements[r]) for r in part.requirements])
        return said[:1].upper() + said[1:]

    def _slug(self, part: Part) -> str:
        about = self._about(part)
        said = self._group(part)
        group = said and (readable(plain_heading(said)) or readable(_folder(part.domain)))
        if group and not TO_SPELL.search(said) and self._is_spelled(part):
            about = ""
        # One heading above all changes tells none from another.
        if len(part.requirements) == 1 and len(self._domains) == 1 < len(self._parts):
            group = ""
        if group == self._leaf or not group:
            group = group if self._is_whole(part) and len(part.requirements) > 1 else ""
        if part.contract:
            return slugify(f"{group or about} contract")
        if (group and self._is_whole(part) and len(part.requirements) > 1) or self._is_story(part):
            return group or about or self._numbered_leaf(part)
        if not group or about.startswith(group):
            return about or group or self._numbered_leaf(part)
        if set(about.split("-")) <= set(group.split("-")):
            return group
        if about and self._is_whole(part):
            return _shorter(group, about)
        return slugify(f"{group} {about}") if about else group

    def _about(self, part: Part) -> str:
        """What the part shares, else its first requirement, in ASCII words; empty if it has none."""
        members = self._members(part)
        if self._is_whole(part) and len(members) > 1 and (named := readable(self._spec_title())):
            return named
        common = readable(self._common(part)) if len(members) > 1 else ""
        named = common or readable(self._phrase(members[0]))
        if IDEOGRAPH.search(said := self._group(part)) and not readable(said):
            named = ""
        return (
            named
            or ascii_names(plain_heading(part.domain))
            or (ascii_names(members[0].title) if len(members) == 1 else "")
        )

    def _is_spelled(self, part: Part) -> bool:
        """Whether its requirements have names in other letters than Latin ones."""
        return any(TO_SPELL.search(self._phrase(member)) for member in self._members(part))

    def _numbered_leaf(self, part: Part) -> str:
        """`story-2-1`, `requirement-3`; else `user-auth-part-2`: nothing of the part can be spelled."""
        own = self._members(part)[0].source_id or ""
        story = story_number(part.domain) or (own if EPIC_STORY.match(own) else None)
        if story and len(self._parts) > 1 and self._is_whole(part):
            return slugify(f"story {story}")
        if len(part.requirements) == 1 < len(self._parts) and _NUMBERED_REQUIREMENT.match(own):
            return slugify(own)
        self._unspelled += 1
        leaf = self._leaf or ascii_names(_first_title(self._spec)) or "spec"
        return leaf if len(self._parts) == 1 else _numbered(f"{leaf}-part", self._unspelled)


def _shorter(group: str, about: str) -> str:
    """The slug of a single requirement with its group if both are short, else what a person would type."""
    in_group, own = group.split("-"), about.split("-")
    if len(in_group) + len(own) <= _SLUG_WORDS_MAX:
        return f"{group}-{about}"
    is_shorter = len(in_group) < len(own) > _SLUG_WORDS_MAX and not any(map(str.isdigit, in_group))
    return group if is_shorter else about


def _folder(domain: str) -> str:
    """A capability's own name in a path; empty for a heading, which is called as it says."""
    return domain.rpartition("/")[2] if re.fullmatch(r"[\w./-]+", domain) else ""


def _leaf(spec: Spec) -> str:
    """The spec's own name: its folder or file, without the number before it."""
    path = re.sub(r"/?(?:spec|requirements|bugfix)?\.\w+$", "", spec.path.rstrip("/"))
    return re.sub(r"^(?:\d+-)+(?=[a-z])", "", slugify(path.rpartition("/")[2]))


def _initials(requirements: Iterable[Requirement]) -> frozenset[str]:
    """What the text writes in capitals, and never otherwise."""
    said = Counter(
        word
        for one in requirements
        for word in re.findall(r"\b[A-Za-z]{2,6}\b", f"{one.title} {one.statement}")
    )
    shouts = frozenset(
        {"MUST", "SHALL", "SHOULD", "MAY", "NOT", "WHEN", "THEN", "GIVEN", "AND", "IF"}
    )
    return frozenset(
        word
        for word in said
        if word.isupper()
        and word not in shouts
        and not said[word.lower()]
        and not said[word.title()]
    )


def _numbered(slug: str, number: int) -> str:
    room = SLUG_MAX - len(str(number)) - 1
    short = slug if len(slug) <= room else slug[: room + 1].rpartition("-")[0] or slug[:room]
    return f"{short.rstrip('-')}-{number}"


def _pieces(parts: Sequence[Part]) -> dict[Part, tuple[int, int]]:
    """For each part which piece of its group it is, and of how many."""
    total = Counter(part.domain for part in parts if not part.is_first)
    seen: Counter[str] = Counter()
    places = {}
    for part in parts:
        seen[part.domain] += not part.is_first
        places[part] = (seen[part.domain], total[part.domain])
    return places


def _without_group(name: str, group: str) -> str:
    """`Guests can come` as `Can come` behind `Guests`."""
    rest = name[len(group) :].strip() if name.casefold().startswith(f"{group} ".casefold()) else ""
    return spoken_title(rest) or name


def _says_nothing(domain: str, spec: Spec) -> bool:
    """Whether a heading is only `Functional requirements`, or the number of a condition."""
    plain = plain_heading(domain)
    return names_the_whole(plain, spec) or bool(_NUMBERED_CONDITION.match(plain))


def _and_of(spec: Spec) -> str:
    """The word between two names, in the language of the spec."""
    languages = {document.language for document in spec.documents}
    return _AND.get(languages.pop(), ", ") if len(languages) == 1 else ", "


def _between(names: Sequence[str], and_: str) -> str:
    """The word before the last name, in the script of the names: a page of Russian criteria may say WHEN and SHALL."""
    said = "".join(names)
    if is_dense(said):
        return ", "
    return _AND["ru"] if 2 * len(_CYRILLIC.findall(said)) > len(said) else and_


def _first_title(spec: Spec) -> str:
    return next((d.title for d in spec.documents if d.title), "")
