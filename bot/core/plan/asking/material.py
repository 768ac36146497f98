"""From a planning question to a prompt: reviewed words around quoted data.

Everything that a person outside of Headgate wrote goes through `quote`. The rule: the same question
over the same material is the same prompt, byte for byte, what stays the same first. Deliberately
absent: reading files; the shell brings templates and the repository's paths.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import Template

from bot.core.ids import Frozen
from bot.core.models.question import PromptPart, Question
from bot.core.models.quoting import quote, visible
from bot.core.plan.asking.about import Phase, PlanQuestion
from bot.core.plan.asking.answers import form_of, schema_of, tool_of
from bot.core.plan.asking.layout import text_of
from bot.core.plan.hot_spots import kind_of
from bot.core.plan.terms import distinct, domain_of
from bot.core.spec.model import Requirement, Spec

TEMPLATES = ("system", *(phase.value for phase in Phase), "again")

# A map shows where things live; the agent looks for itself.
_MAP_FILES_MAX = 60
_MAP_FOLDERS_MAX = 40
_UNDER_WAY_MAX = 30
_SHARED_MAX = 30
# Above what the largest part's answer takes; a model that needs more has lost its way.
_ANSWER_TOKENS_MAX = 16_000
_NOTHING = "(nothing)"


class Rejection(Frozen):
    """An answer that was against the law, and why."""

    previous: str
    reasons: tuple[str, ...]


class Material(Frozen):
    """What is given beside the requirements."""

    paths: tuple[str, ...] = ()
    under_way: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    brief: str = ""
    changes: tuple[str, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def question_of(
    about: PlanQuestion, spec: Spec, material: Material, templates: Mapping[str, str]
) -> Question:
    """The whole question, ready to be asked of any model."""
    wanted = set(about.requirements)
    requirements = [r for r in distinct(spec) if r.id in wanted]
    task = Template(templates[about.phase]).substitute(
        count=len(requirements),
        part=visible(about.part).replace("\n", " "),
        map=map_of(material.paths, requirements),
        under_way=_listed(material.under_way[:_UNDER_WAY_MAX], "issues under way"),
        known=_listed(material.known, "this run so far"),
        shared=_listed(_named_often(requirements), about.path),
        brief=quote(material.brief, "the planner of the whole") if material.brief else _NOTHING,
        titles=quote(
            "\n".join(f"{r.id} ({domain_of(r, spec)}) {r.title}" for r in requirements), about.path
        ),
        requirements="\n\n".join(
            quote(f"id: {r.id}\n{text_of(r)}", f"{r.path}:{r.line_start}") for r in requirements
        ),
        changes=_listed(material.changes, "the planners of the parts"),
    )
    parts = [PromptPart(text=task, ends_stretch=True)]
    parts += [
        PromptPart(text=_again(rejection, templates["again"])) for rejection in material.rejections
    ]
    tool, tool_says = tool_of(about.phase)
    return Question(
        system=templates["system"],
        parts=tuple(parts),
        tool=tool,
        tool_says=tool_says,
        tool_schema=schema_of(form_of(about.phase)),
        answer_tokens_max=_ANSWER_TOKENS_MAX,
    )


def map_of(paths: Sequence[str], requirements: Sequence[Requirement]) -> str:
    """A bounded map: folders with their size, then the files that the texts name or that stand out."""
    if not paths:
        return _NOTHING
    folders = Counter(path.rpartition("/")[0] or "." for path in paths)
    named = {resource for r in requirements for resource in r.resources}
    chosen = [p for p in paths if p in named or p.rpartition("/")[2] in named]
    chosen += [p for p in paths if p.count("/") <= 1 and not p.startswith(".")]
    lines = [f"{folder}/ ({count} files)" for folder, count in sorted(folders.items())]
    shown = [*lines[:_MAP_FOLDERS_MAX], *list(dict.fromkeys(chosen))[:_MAP_FILES_MAX]]
    return quote("\n".join(shown), "the repository's tree")


def shared_names(spec: Spec) -> tuple[str, ...]:
    """What at least two requirements of a spec name, most named first."""
    return _named_often(distinct(spec))


def _named_often(requirements: Sequence[Requirement]) -> tuple[str, ...]:
    names = Counter(name for r in requirements for name in dict.fromkeys(r.resources))
    often = [(name, n) for name, n in names.most_common() if n > 1]
    return tuple(f"{name} ({kind_of(name).value}, {n}×)" for name, n in often[:_SHARED_MAX])


def _listed(lines: Sequence[str], source: str) -> str:
    return quote("\n".join(lines), source) if lines else _NOTHING


def _again(rejection: Rejection, template: str) -> str:
    return Template(template).substitute(
        previous=quote(rejection.previous, "your last answer"),
        # Reasons hold names from the spec and from the answer: data as well.
        reasons=quote("\n".join(f"- {r}" for r in rejection.reasons), "the plan check"),
    )
