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
# What more requirements name is vocabulary, and looking at all of them takes long.
_USERS_MAX = 100


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
# `.tex`, `*.csv`: any file of a kind, and none that two changes edit.
_ENDING = re.compile(r"\*{0,2}\.\w{1,12}")
_ROUTE = re.compile(r"^(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?/\S*$")
_NAME = re.compile(r"^[A-Za-z_][\w.:-]*(?:\(\))?$")
_SHAPED = re.compile(r"[a-z][A-Z]|[A-Z][a-z]|\w[_.]\w|::|\(\)$")
# What a term is when it is defined: a thing that other work can be built against.
_THING = (
    r"(?:schema|tables?|types?|endpoints?|interface|contract|protocol|event|model|entity|enum|class|record|"
    r"struct|migration|file|message|queue|topic|column|field|function|method|module|component|api|webhook)"
)
# The name stands as one sign in the text that is searched, so that no pattern is made for each name.
_NAME_SIGN = "\x00"
_DEFINES = re.compile(
    r"\b(?:provid|defin|introduc|expos|declar|creat|add)(?:e|es|ed|ing|s)?\b(?:\s+\w+){0,3}\s+\x00(?!\w)|"
    rf"\b{_THING}\s+(?:named\s+|called\s+)?\x00(?!\w)|(?<!\w)\x00\s+{_THING}\b"
)
_STORES = re.compile(
    r"\b(?:stor|own|persist|keep|sav)(?:e|es|ed|ing|s)?\b(?:\s+\w+){0,3}\s+\x00(?!\w)"
)
_TITLED = re.compile(
    rf"^(?:the |an? )?\x00(?: {_THING})?$|(?<!\w){_THING} \x00(?!\w)|(?<!\w)\x00 {_THING}\b"
)
_INTERFACE_WORDS = re.compile(
    rf"\b(?:{_THING[3:-1]}|data model)\b|接口|数据模型|数据表|インターフェース|스키마|Schnittstelle|interfaz|"
    r"интерфейс|schéma|esquema",
    re.IGNORECASE,
)
_OPTION = re.compile(r"^--[a-z][\w-]*(?:[ =]\S+)?$")


def kind_of(resource: str) -> ResourceKind:
    """By the spelling only; no file is read."""
    if _DOCUMENT.match(resource) or _ENDING.fullmatch(resource):
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
            for name in dict.fromkeys(place_of(r) for r in requirement.resources):
                if name:
                    mentions[name].append(requirement)
    found: list[HotSpot] = []
    for resource, namers in mentions.items():
        sharing = _sharing(resource, namers, spec)
        if sharing and len({home[r.id] for r in namers}) > 1:
            found.append(_hot_spot(resource, sharing, namers, home))
    return tuple(found)


def place_of(resource: str) -> str:
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
        defined = any(defines(r, resource) for r in namers)
        many = len(domains) >= _DOMAINS_MIN
        return Sharing.OWNED if many and defined else Sharing.ONE_AFTER_ANOTHER
    if len(domains) < _DOMAINS_MIN or _is_vocabulary(resource, namers, spec):
        return None
    return Sharing.OWNED


def _is_vocabulary(resource: str, namers: list[Requirement], spec: Spec) -> bool:
    definers = sum(defines(r, resource) for r in namers)
    total = len(spec.requirements)
    return (
        definers > _DEFINERS_MAX
        or definers == 0
        or (total >= _LARGE_SPEC and 5 * len(namers) > 2 * total)
    )


def defines(requirement: Requirement, resource: str) -> bool:
    """Whether the requirement says that it makes the thing.

    Its title is the name, or calls it a table, type, endpoint …; or the statement defines it. An
    everyday word is not defined by being stored.
    """
    name = fold(resource)
    if not name:
        return False
    if _TITLED.search(signed(requirement.title, name)):
        return True
    statement = signed(requirement.statement, name)
    is_word = kind_of(resource) is ResourceKind.WORD
    return bool(_DEFINES.search(statement) or (not is_word and _STORES.search(statement)))


def signed(text: str, name: str) -> str:
    """The text with a NUL where the name stood."""
    return fold(text).replace("`", "").replace(name.replace("`", ""), _NAME_SIGN)


def is_interface(requirement: Requirement) -> bool:
    """Whether a requirement says how two parts meet: an endpoint, a type, a file, an option."""
    kinds = {kind_of(r) for r in requirement.resources}
    meets = {ResourceKind.ROUTE, ResourceKind.FILE, ResourceKind.SHARED_FILE, ResourceKind.NAME}
    return bool(
        kinds & meets
        or any(_OPTION.match(r) for r in requirement.resources)
        or _INTERFACE_WORDS.search(f"{requirement.title}\n{requirement.statement}")
    )


def touched_interfaces(
    requirements: Iterable[Requirement],
) -> list[tuple[RequirementId, RequirementId]]:
    """Pairs: the only requirement that defines a route or a name, and one that uses it."""
    namers: defaultdict[str, list[Requirement]] = defaultdict(list)
    for requirement in requirements:
        for resource in dict.fromkeys(requirement.resources):
            if kind_of(resource) in (ResourceKind.ROUTE, ResourceKind.NAME):
                namers[resource].append(requirement)
    pairs = []
    for resource, members in namers.items():
        if not 1 < len(members) <= _USERS_MAX:
            continue
        definers = [r for r in members if defines(r, resource)]
        if len(definers) == 1:
            pairs += [(definers[0].id, r.id) for r in members if r is not definers[0]]
    return pairs


def _hot_spot(
    resource: str, sharing: Sharing, namers: list[Requirement], home: dict[RequirementId, Slug]
) -> HotSpot:
    definer = next((r for r in namers if defines(r, resource)), namers[0])
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
