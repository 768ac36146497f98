"""What a spec says, whatever its format: requirements with scenarios, at lines of a file.

Every reader of a format returns these values. Lines count from 1, both ends included. Text that no
rule recognises is reported as unparsed; a requirement is never invented.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from bot.core.values.ids import Frozen, RequirementId


class SpecFormat(StrEnum):
    OPENSPEC = "openspec"
    OPENSPEC_DELTA = "openspec-delta"
    REQ_ID = "req-id"
    SPEC_KIT = "spec-kit"
    SPEC_KIT_TASKS = "spec-kit-tasks"
    KIRO = "kiro"
    KIRO_BUGFIX = "kiro-bugfix"
    KIRO_TASKS = "kiro-tasks"
    MISSION = "mission"
    PRD = "prd"
    RFC2119 = "rfc2119"
    GHERKIN = "gherkin"
    PROSE = "prose"
    UNKNOWN = "unknown"


class Severity(StrEnum):
    """What a finding does: stop the plan, ask a person, or only be told."""

    BLOCK = "block"
    ASK = "ask"
    WARN = "warn"
    INFO = "info"


class Modality(StrEnum):
    MUST = "must"
    MUST_NOT = "must_not"
    SHOULD = "should"
    MAY = "may"
    UNSTATED = "unstated"


class Operation(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"
    RENAMED = "renamed"


class Finding(Frozen):
    """Something a person should look at: where, the words, and the question they raise.

    If it is in several places, `lines` are all of them; otherwise it is empty.
    """

    code: str
    severity: Severity
    line: int
    quote: str
    question: str
    path: str = ""
    lines: tuple[int, ...] = ()


class Scenario(Frozen):
    """One way a requirement shows: steps where they can be told apart, else only the text."""

    name: str
    text: str
    given: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    line_start: int
    line_end: int


class Reference(Frozen):
    """A dependency as the spec states it; `target` is an id or an exact requirement title."""

    target: str
    line: int
    quote: str


class Requirement(Frozen):
    """One thing that must become true.

    `id` is namespaced by the spec (`<spec-key>#<id>`) and stable under edits of other requirements.
    `source_id` is the id that the author wrote, if any. `resources` are things that the text names
    exactly: files, routes, `backticked` terms. `text_hash` covers normalised statement and
    scenarios, so white space and markers do not change it. `is_done` is what the author says of it.
    """

    id: RequirementId
    source_id: str | None
    title: str
    statement: str
    scenarios: tuple[Scenario, ...] = ()
    domain: str = ""
    modality: Modality = Modality.UNSTATED
    priority: str | None = None
    operation: Operation | None = None
    renamed_from: str | None = None
    references: tuple[Reference, ...] = ()
    resources: tuple[str, ...] = ()
    path: str
    line_start: int
    line_end: int
    text_hash: str
    is_done: bool = False


class Story(Frozen):
    """Scenarios that no single requirement owns: a user story, or criteria of the whole spec.

    A scenario lives in one place: a story that names exactly one requirement gives it its scenarios.
    """

    title: str
    priority: str | None = None
    scenarios: tuple[Scenario, ...] = ()
    line_start: int
    line_end: int


class Constraint(Frozen):
    """Something that binds every change and is no work of its own (an NFR, a principle)."""

    source_id: str | None = None
    text: str
    line: int


class Task(Frozen):
    """One tick box of a task list. `requirements` are the ids that the author put behind it.

    `path` is the list's file, where it stands beside the spec; `group` is the heading over the task;
    `depends` are the ids of the tasks that must be done before.
    """

    id: str | None
    text: str
    line: int
    is_done: bool = False
    is_optional: bool = False
    is_parallel: bool = False
    requirements: tuple[str, ...] = ()
    path: str = ""
    group: str = ""
    depends: tuple[str, ...] = ()


class EpicOf(Frozen):
    """Which epic covers an author's id, and in which words a coverage map says so."""

    id: str
    epic: str
    words: str = ""


class StoryOrder(Frozen):
    """A sentence that says after which user stories one is built, by their numbers."""

    story: str
    after: tuple[str, ...]
    line: int
    quote: str
    path: str


class SpecDocument(Frozen):
    """One file as it was understood.

    `unparsed` holds line ranges that no item owns, `lines` is how many the file has. `status` comes
    from front matter or a status line (`draft` never starts work).
    """

    path: str
    format: SpecFormat
    confidence: float
    title: str
    language: str = "en"
    lines: int = 0
    status: str | None = None
    requirements: tuple[Requirement, ...] = ()
    findings: tuple[Finding, ...] = ()
    unparsed: tuple[tuple[int, int], ...] = ()
    stories: tuple[Story, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    tasks: tuple[Task, ...] = ()
    epics: tuple[EpicOf, ...] = ()
    story_order: tuple[StoryOrder, ...] = ()

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        found = [s for r in self.requirements for s in r.scenarios]
        found += [s for story in self.stories for s in story.scenarios]
        return tuple(sorted(found, key=lambda s: s.line_start))

    def with_requirements(self, requirements: Iterable[Requirement]) -> Self:
        return self.replace(requirements=tuple(requirements))


class Spec(Frozen):
    """What one spec run is about: one file, or all files of one folder, in path order.

    `path` is the file or the folder (`openspec/changes/<name>`), `key` its namespace.
    """

    path: str
    key: str
    documents: tuple[SpecDocument, ...]

    def with_documents(self, documents: Iterable[SpecDocument]) -> Self:
        return self.replace(documents=tuple(documents))

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        return tuple(r for d in self.documents for r in d.requirements)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(f for d in self.documents for f in d.findings)

    @property
    def stories(self) -> tuple[Story, ...]:
        return tuple(s for d in self.documents for s in d.stories)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(c for d in self.documents for c in d.constraints)
