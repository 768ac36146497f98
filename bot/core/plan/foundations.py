"""What everything else stands on: scaffold, schema, migrations, configuration, a shared client.

Only what a requirement or its group calls itself counts, in the whole of its name; a sentence that
mentions a schema is no foundation.
"""

import re
from collections.abc import Sequence

from bot.core.plan.phrases import phrase, plain_heading
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.vocabulary import distinct, evidence, fold, subjects
from bot.core.spec.triage.words import says_only_requirements
from bot.core.values.plan_model import DependencyKind, PlannedChange
from bot.core.values.spec_model import Requirement, Spec

# Weaker than what the text says, stronger than the order of a list.
FOUNDATION_CONFIDENCE = 38
# A spec with more of them has no foundation, but a habit of naming things.
_FOUNDATIONS_MAX = 6

_FOUNDATION = re.compile(
    r"(?:set ?up|initiali[sz]e|bootstrap) (?:the |an? )?(?:new )?(?:project|repository|repo|workspace|monorepo|codebase)"
    r"(?: (?:and|with|using) .{1,60})?|"
    r"(?:(?:set ?up|initiali[sz]e|create|define|prepare|provision|establish|bootstrap|add|build) )?(?:the |a |an )?"
    r"(?:(?:project|application|app|repository|repo|base|basic|core|initial|shared|common|global|central|technical|"
    r"relational|new|environment|runtime|dev(?:elopment)?|backend|frontend|http|rest|api|sdk) ){0,3}"
    r"(?:scaffold(?:ing)?|skeleton|setup|set-up|bootstrap|foundations?|foundational|groundwork|infrastructure|"
    r"(?:project|code|folder|directory|application|app|repository|repo|base|basic|core) structure|data storage|monorepo|workspace|toolchain|ci(?:/cd)?(?: pipeline)?|"
    r"(?:data(?:base)?|db|sql|storage|persistence) (?:models?|schemas?|tables?|layer|migrations?|structure|setup)|"
    r"(?:[\w-]+ ){0,2}schemas?|(?:(?:sql|schema|data(?:base)?|initial) ){0,2}migrations?|data models?|database|"
    r"config(?:uration)?(?: (?:file|loading|schema|module|management))?|settings module|environment variables|"
    # A client whom somebody adds is a customer.
    r"(?!(?:add|create|edit|delete|manage|register|new|an?|the|first|each|every|view|select) )[\w-]+ client(?: (?:library|module|wrapper))?|"
    r"client (?:library|module|wrapper))"
    r"(?: (?:setup|layer|phase|requirements|work))?"
    r"(?:(?:,| and| &|, and) (?:migrations?|schema|setup|configuration|tooling|infrastructure|ci(?:/cd)?|pipelines?|tables?|models?)){0,2}"
    # `Database schema for parcels and couriers`: what it is for waits for it.
    r"(?: (?:for|of) (?:the |an? |all )?[\w-]+(?:(?:,| and| &)? [\w-]+){0,3})?",
    re.IGNORECASE,
)
# `MUST create orders table with id, owner_id`: a table of the store, and none on a page.
_TABLE = re.compile(
    r"\b(?:create|define)s? (?:the |an? )?`?\w{2,40}`? tables?\b[^\n]{0,200}?"
    r"\b(?:id|[a-z]{1,30}_id|timestamps?|primary key|foreign key|columns?)\b",
    re.IGNORECASE,
)
# In other languages the same names, whole.
_ELSEWHERE = re.compile(
    r"(?:基础(?:设施|架构|框架)|项目(?:初始化|搭建|脚手架|结构)|脚手架|数据(?:库)?(?:模型|结构|表|迁移|需求|设计)?(?:设计|定义)?|数据库|配置(?:管理|文件)?|"
    r"基盤|プロジェクト(?:構成|初期化)|データ(?:ベース)?(?:モデル|スキーマ|構造)|スキーマ|設定(?:管理|ファイル)?|"
    r"데이터(?:베이스)? ?(?:모델|스키마)|스키마|프로젝트 (?:구조|초기화)|"
    r"(?:projekt)?(?:grundgerüst|aufbau|struktur)|datenmodell|datenbank(?:schema)?|konfiguration|migrationen|"
    r"modèle de données|schéma(?: de (?:la )?base(?: de données)?)?|socle(?: technique)?|initialisation(?: du projet)?|"
    r"modelo de d(?:atos|ados)|esquema(?: de (?:la )?base de datos)?|estructura del proyecto|configuraci[óo]n|configuração|"
    r"model danych|konfiguracja|модель данных|схема(?: базы)?(?: данных)?|каркас(?: проекта)?|конфигурация)",
    re.IGNORECASE,
)


# What a name says beside the words that make it a foundation: `order` in `Order schema`.
_GENERIC = subjects(
    "scaffold scaffolding skeleton setup bootstrap foundation foundational groundwork infrastructure project "
    "application structure monorepo workspace toolchain data database model schema table tables layer migration "
    "migrations storage persistence config configuration settings module environment variables client library "
    "wrapper base basic core initial shared common global central technical create define initialize initialise "
    "prepare provision establish build repository backend frontend http rest file loading"
)
# What moves rows from one schema to another comes after both.
_MOVES_DATA = re.compile(r"(?:(?:the|existing|legacy|old) )*data migrations?", re.IGNORECASE)
_GROUP = re.compile(r"(?:data |storage )?persistence", re.IGNORECASE)
_BARE = re.compile(
    r"foundations?|foundational|set-?up|scaffold(?:ing)?|infrastructure|bootstrap|基础|基盤|脚手架",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"\b(?:foundations?|foundational|scaffold(?:ing)?|project setup|infrastructure|bootstrap)\b|基础|基盤|脚手架",
    re.IGNORECASE,
)


# What builds the project itself comes before its schema and its configuration.
_PROJECT = re.compile(
    r"\b(?:scaffold(?:ing)?|skeleton|bootstrap|monorepo|toolchain|(?:project|repository|repo|workspace|environment) (?:setup|set-up|structure|initiali[sz]ation)|"
    r"(?:set ?up|initiali[sz]e|create) (?:the |a )?(?:project|repository|repo|workspace))\b|"
    r"项目(?:初始化|搭建|脚手架|结构)|脚手架|プロジェクト(?:構成|初期化)|프로젝트 (?:구조|초기화)|grundgerüst|initialisation du projet|estructura del proyecto|каркас",
    re.IGNORECASE,
)


def foundation_needs(spec: Spec, drafts: Sequence[PlannedChange]) -> tuple[Need, ...]:
    """Soft dependencies of other changes on foundations.

    Everything waits for a general one; for `Order schema` waits what speaks of orders.
    """
    requirements = {r.id: r for r in distinct(spec)}
    firsts: list[tuple[PlannedChange, Requirement, frozenset[str] | None]] = []
    for draft in drafts:
        members = [requirements[r] for r in draft.requirements if r in requirements]
        named = [m for m in members if is_foundation(m)]
        if named and len(named) == len(members):
            own = frozenset[str]().union(*(subjects(phrase(m)) - _GENERIC for m in named))
            general = not own or any(_is_general(m) for m in named)
            firsts.append((draft, named[0], None if general else own))
        elif members and _LEADS.search(plain_heading(members[0].domain)):
            firsts.append((draft, members[0], None))
    if not firsts or len(firsts) > _FOUNDATIONS_MAX or len(firsts) == len(drafts):
        return ()
    grounds = {draft.slug for draft, _, _ in firsts}
    project = {
        draft.slug
        for draft, ground, _ in firsts
        if _PROJECT.search(f"{phrase(ground)}\n{plain_heading(ground.domain)}")
    }
    needs = []
    for draft, ground, of in firsts:
        why = evidence(ground.path, ground.line_start, ground.title or ground.statement)
        for other in drafts:
            is_built_on = draft.slug in project and other.slug not in project
            if other.slug in grounds and not is_built_on:
                continue
            if not other.requirements or not draft.requirements:
                continue
            members = [requirements[r] for r in other.requirements if r in requirements]
            if members and (of is None or is_built_on or _speaks_of(members, of)):
                needs.append(
                    Need(
                        other.requirements[0],
                        draft.requirements[0],
                        DependencyKind.FOUNDATION,
                        why,
                        FOUNDATION_CONFIDENCE,
                    )
                )
    return tuple(needs)


def _is_general(requirement: Requirement) -> bool:
    return bool(_LEADS.search(requirement.domain)) or _is_generic(phrase(requirement))


def _is_generic(name: str) -> bool:
    """Whether it says what kind of foundation it is, and not of what."""
    return not subjects(name) - _GENERIC or bool(_ELSEWHERE.fullmatch(name))


def _speaks_of(members: Sequence[Requirement], own: frozenset[str]) -> bool:
    return any(own & subjects(fold(f"{m.title}\n{m.statement}")) for m in members)


def is_foundation(requirement: Requirement) -> bool:
    """Whether the requirement, or the group in which it stands, is called one."""
    group = plain_heading(requirement.domain)
    # A requirement of that name keeps what a user has chosen.
    if _GROUP.fullmatch(group) or (group and is_foundation_name(group)):
        return True
    name = phrase(requirement)
    # `Configuration: TAX_URL` in the list of a feature is that feature's own.
    said = plain_heading(requirement.statement.split("\n", 1)[0])
    if _TABLE.search(said):
        return True
    is_label = bool(group) and _is_generic(name) and said.startswith(name)
    return is_foundation_name(name) and not (is_label and not says_only_requirements(group))


def is_groundwork(name: str) -> bool:
    """Whether a name speaks of a scaffold or of infrastructure, among other things."""
    return bool(_LEADS.search(name))


def says_only_foundation(heading: str) -> bool:
    """Whether a group is called `Foundation`, and nothing says of what."""
    return bool(_BARE.fullmatch(plain_heading(heading)))


def is_foundation_name(name: str) -> bool:
    plain = " ".join(name.split())
    return not _MOVES_DATA.fullmatch(plain) and bool(
        _FOUNDATION.fullmatch(plain) or _ELSEWHERE.fullmatch(plain)
    )
