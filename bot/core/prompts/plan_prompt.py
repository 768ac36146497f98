"""The prompt about a plan: reviewed words around quoted data.

Everything that a person outside of Headgate wrote goes through `quote`. The same input gives the
same prompt, byte for byte, and what every part shares comes first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import Template

from bot.core.plan.hot_spots import kind_of
from bot.core.plan.vocabulary import distinct, domain_of
from bot.core.prompts.plan_forms import form_of, schema_of, tool_of
from bot.core.prompts.plan_layout import layout_of, text_of
from bot.core.prompts.repository_context import (
    FILES_SHARE,
    FOLDERS_SHARE,
    SPECS_SHARE,
    UNDER_WAY_SHARE,
    RepositoryContext,
    bounded,
    file_lines,
    folder_lines,
    spec_lines,
    tokens_beside,
)
from bot.core.values.ids import Frozen
from bot.core.values.plan_input import Phase, PlanPromptInput
from bot.core.values.prompt import Prompt, PromptPart
from bot.core.values.quoting import quote, visible
from bot.core.values.spec_model import Requirement, Spec

TEMPLATES = ("system", *(phase.value for phase in Phase), "again")

# Where a template has this line, what stands before it is the same for every part of a spec: a
# prompt cache reads it again for each of them, and after an edit.
_STRETCH_ENDS = "\n=====\n"

_SHARED_MAX = 30
# Above what the largest part's answer takes; a model that needs more is stuck in a loop.
_ANSWER_TOKENS_MAX = 16_000
_NOTHING = "(nothing)"


class Rejection(Frozen):
    previous: str
    reasons: tuple[str, ...]


class UnderWay(Frozen):
    """An open change of another spec run, and what it touches."""

    title: str
    touches: tuple[str, ...]

    @property
    def line(self) -> str:
        return f"{self.title} ({', '.join(self.touches)})" if self.touches else self.title


class Material(Frozen):
    """The context besides the requirements."""

    around: RepositoryContext = RepositoryContext()
    under_way: tuple[UnderWay, ...] = ()
    known: tuple[str, ...] = ()
    brief: str = ""
    changes: tuple[str, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def prompt_of(
    about: PlanPromptInput, spec: Spec, material: Material, templates: Mapping[str, str]
) -> Prompt:
    wanted = set(about.requirements)
    requirements = [r for r in distinct(spec) if r.id in wanted]
    titles = "\n".join(f"{r.id} ({domain_of(r, spec)}) {r.title}" for r in requirements)
    said = {
        **_beside(spec, requirements, material),
        "count": str(len(requirements)),
        "part": visible(about.part).replace("\n", " "),
        "shared": _listed(
            (*_named_often(requirements), *_touched(requirements, material.under_way)), about.path
        ),
        "titles": quote(titles, about.path),
        "requirements": "\n\n".join(
            quote(f"id: {r.id}\n{text_of(r)}", f"{r.path}:{r.line_start}") for r in requirements
        ),
        "changes": _listed(material.changes, "the planners of the parts"),
    }
    parts = [
        PromptPart(text=Template(stretch).substitute(said), ends_stretch=True)
        for stretch in templates[about.phase].split(_STRETCH_ENDS)
    ]
    parts += [
        PromptPart(text=_again(rejection, templates["again"])) for rejection in material.rejections
    ]
    tool, tool_says = tool_of(about.phase)
    return Prompt(
        system=templates["system"],
        parts=tuple(parts),
        tool=tool,
        tool_says=tool_says,
        tool_schema=schema_of(form_of(about.phase)),
        answer_tokens_max=_ANSWER_TOKENS_MAX,
    )


def _beside(spec: Spec, requirements: Sequence[Requirement], material: Material) -> dict[str, str]:
    """The context, cut to the number of requirements.

    Folders and open work are cut for a part of medium size, so that every part gets the same.
    """
    around = material.around
    own = tokens_beside(len(requirements))
    alike = tokens_beside(len(distinct(spec)) // len(layout_of(spec).parts))
    folders = bounded(folder_lines(around), alike * FOLDERS_SHARE)
    files = bounded(file_lines(around, requirements), own * FILES_SHARE)
    specs = bounded(spec_lines(around, requirements), own * SPECS_SHARE)
    under_way = bounded((one.line for one in material.under_way), alike * UNDER_WAY_SHARE)
    return {
        "folders": _listed(folders, "the repository's tree"),
        "files": _listed(files, "the repository's files"),
        "specs": _listed(specs, "other specifications"),
        "under_way": _listed(under_way, "issues under way"),
        "known": _listed(material.known, "this run so far"),
        "brief": quote(material.brief, "the planner of the whole") if material.brief else _NOTHING,
    }


def _touched(requirements: Sequence[Requirement], under_way: Sequence[UnderWay]) -> tuple[str, ...]:
    """What the requirements name and work of other spec runs touches."""
    named = dict.fromkeys(name for r in requirements for name in r.resources)
    found = [
        f"{name} (also touched by: {one.title})"
        for name in named
        for one in under_way
        if name in one.touches
    ]
    return tuple(found[:_SHARED_MAX])


def shared_names(spec: Spec) -> tuple[str, ...]:
    """Names in at least two requirements of a spec, the most frequent first."""
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
