"""Resources that several changes touch, and how conflicts are avoided.

A resource is what the spec names exactly: a file, a route, a `term`. A resource of several domains
has one owner, the change whose requirement defines it first, and the others depend on it. Any other
shared file or route is only a hint to land the changes one after another. Everyday words in
backticks are not resources.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum

from bot.core.plan.vocabulary import domain_of, evidence, fold
from bot.core.values.ids import Frozen, RequirementId, Slug
from bot.core.values.plan_model import PlannedChange
from bot.core.values.spec_model import Requirement, Spec

# A resource that this many domains name is cross-cutting.
_DOMAINS_MIN = 3
# A term with more definitions, or in more of a larger spec's requirements, is vocabulary.
_DEFINERS_MAX = 3
_LARGE_SPEC = 10


class ResourceKind(StrEnum):
    """The kind of a resource by its spelling; a document is never a cause of conflicts."""

    SHARED_FILE = "shared_file"
    FILE = "file"
    ROUTE = "route"
    DOCUMENT = "document"
    NAME = "name"
    WORD = "word"


class Sharing(StrEnum):
    """What to do about a hot spot: depend on its owner, or only expect conflicts."""

    OWNED = "owned"
    ONE_AFTER_ANOTHER = "one_after_another"


class HotSpot(Frozen):
    """One resource and the changes that touch it, the owner (or else the first) first.

    `evidence` quotes, for each of `changes`, where it names the resource.
    """

    resource: str
    kind: ResourceKind
    sharing: Sharing
    changes: tuple[Slug, ...]
    evidence: tuple[str, ...]


_SHARED_FOLDER = re.compile(
    r"^(?P<folder>(?:.*/)?(?:migrations?|alembic/versions|db/migrate|locales?|i18n|translations)/)",
    re.IGNORECASE,
)
_SHARED_FILE = re.compile(
    r"^(?:.*/)?(?:"
    r"package(?:-lock)?\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|pyproject\.toml|cargo\.toml"
    r"|go\.(?:mod|sum|work)|requirements[\w.-]*\.txt|composer\.json|gemfile|[\w.-]+\.lock"
    r"|(?:config|settings|configuration|application|appsettings|tsconfig)(?:\.[\w-]+)*\.\w+"
    r"|[\w-]+\.config\.\w+|\.env(?:\.\w+)?|dockerfile|(?:docker-)?compose\.ya?ml|makefile"
    r"|(?:routes?|router|routing|urls|middleware)\.\w+|schema\.(?:prisma|sql|rb|graphql)"
    r"|[\w.-]+\.pot?|messages[\w.-]*\.(?:json|properties|ya?ml)"
    r")$",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"^(?:[\w.@~*{}$\[\]-]*/)*[\w.@*{}$\[\]-]*\.(?:py|pyi|js|jsx|mjs|cjs|ts|tsx|vue|svelte|json|ya?ml"
    r"|toml|ini|cfg|env|csv|sql|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|html|css|scss"
    r"|sh|xml|proto|prisma|graphql|tf|lock)$",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"^(?:\.\./.*|(?!requirements)[^\s]*\.(?:md|mdx|rst|adoc|txt|pdf))$", re.IGNORECASE
)
_ROUTE = re.compile(r"^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?/\S*$")
_NAME = re.compile(r"^[A-Za-z_][\w.:-]*(?:\(\))?$")
_SHAPED = re.compile(r"[a-z][A-Z]|[A-Z][a-z]|\w[_.]\w|::|\(\)$")
_DEFINES = (
    r"\b(?:provid|defin|introduc|expos|declar|creat|stor|own)(?:e|es|ed|ing)?\b"
    r"(?:\s+\w+){{0,3}}\s+`?{}\b"
)


def kind_of(resource: str) -> ResourceKind:
    """By the spelling only; no file is read."""
    if _DOCUMENT.match(resource):
        return ResourceKind.DOCUMENT
    if _SHARED_FOLDER.match(resource) or _SHARED_FILE.match(resource):
        return ResourceKind.SHARED_FILE
    if _FILE.match(resource):
        return ResourceKind.FILE
    if _ROUTE.match(resource):
        return ResourceKind.ROUTE
    if _NAME.match(resource) and _SHAPED.search(resource):
        return ResourceKind.NAME
    return ResourceKind.WORD


def hot_spots(changes: Iterable[PlannedChange], spec: Spec) -> tuple[HotSpot, ...]:
    """All hot spots, by the first line that names them; the order of `changes` does not matter."""
    home = {r: change.slug for change in changes for r in change.requirements}
    mentions: defaultdict[str, list[Requirement]] = defaultdict(list)
    for requirement in spec.requirements:
        if requirement.id in home:
            for name in dict.fromkeys(_place_of(r) for r in requirement.resources):
                if name:
                    mentions[name].append(requirement)
    found: list[HotSpot] = []
    for resource, namers in mentions.items():
        sharing = _sharing(resource, namers, spec)
        if sharing and len({home[r.id] for r in namers}) > 1:
            found.append(_hot_spot(resource, sharing, namers, home))
    return tuple(found)


def _place_of(resource: str) -> str:
    """For migrations and translations their folder, else the resource itself."""
    name = resource.strip().strip("`").strip()
    folder = _SHARED_FOLDER.match(name)
    return folder["folder"] if folder else name


def _sharing(resource: str, namers: list[Requirement], spec: Spec) -> Sharing | None:
    kind = kind_of(resource)
    domains = {domain_of(r, spec) for r in namers}
    if kind is ResourceKind.DOCUMENT:
        return None
    if kind is ResourceKind.SHARED_FILE:
        return Sharing.OWNED
    if kind in (ResourceKind.FILE, ResourceKind.ROUTE):
        return Sharing.OWNED if len(domains) >= _DOMAINS_MIN else Sharing.ONE_AFTER_ANOTHER
    if len(domains) < _DOMAINS_MIN or _is_vocabulary(resource, kind, namers, spec):
        return None
    return Sharing.OWNED


def _is_vocabulary(
    resource: str, kind: ResourceKind, namers: list[Requirement], spec: Spec
) -> bool:
    definers = sum(_defines(r, resource) for r in namers)
    total = len(spec.requirements)
    return (
        definers > _DEFINERS_MAX
        or (kind is ResourceKind.WORD and definers == 0)
        or (total >= _LARGE_SPEC and 5 * len(namers) > 2 * total)
    )


def _defines(requirement: Requirement, resource: str) -> bool:
    """Whether the title names it, or the statement provides, defines, stores … it."""
    word = re.escape(fold(resource))
    return bool(
        re.search(rf"(?<!\w){word}(?!\w)", fold(requirement.title))
        or re.search(_DEFINES.format(word), fold(requirement.statement))
    )


def _hot_spot(
    resource: str, sharing: Sharing, namers: list[Requirement], home: dict[RequirementId, Slug]
) -> HotSpot:
    definer = next((r for r in namers if _defines(r, resource)), namers[0])
    first = {home[definer.id]: definer}
    for requirement in namers:
        first.setdefault(home[requirement.id], requirement)
    return HotSpot(
        resource=resource,
        kind=kind_of(resource),
        sharing=sharing,
        changes=tuple(first),
        evidence=tuple(evidence(r.path, r.line_start, resource) for r in first.values()),
    )
