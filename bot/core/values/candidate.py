"""Git's part of a candidate, as values: recipes in, outcomes out.

A candidate can be built again byte for byte from its recipe (law 9), so a recipe names everything:
tree, parents, message, author, time.
"""

from datetime import datetime
from enum import StrEnum

from bot.core.values.ids import Frozen, Ref, Sha

# GitHub takes workflows from an App without the `workflows` permission only as the default branch has
# them: what we push carries those.
WORKFLOWS_FOLDER = ".github/workflows"


class CommitRecipe(Frozen):
    """All that goes into one commit, at one time (UTC); without a committer the author is both."""

    tree: Sha
    parents: tuple[Sha, ...]
    message: str
    author_name: str
    author_email: str
    committer_name: str = ""
    committer_email: str = ""
    at: datetime


class SignedCommit(Frozen):
    """Whether GitHub calls a commit's signature verified; else `reason` is its word for why not."""

    sha: Sha
    is_verified: bool
    reason: str = ""


class MergedTree(Frozen):
    """A three-way merge without conflict."""

    tree: Sha


class MergeConflict(Frozen):
    """A three-way merge that needs a decision: the files in path order, the tree with markers."""

    tree: Sha
    files: tuple[str, ...]


class BundleRules(Frozen):
    """What an agent's bundle must keep to.

    The bundle's `refs/heads/headgate` must be exactly one or more commits on `start_sha`;
    `protected` are gitignore patterns that it may not touch, `artefacts` plain files that it may write all
    the same. `only`: whatever else it changed is left out, without a word.
    """

    start_sha: Sha
    protected: tuple[str, ...]
    artefacts: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    bundle_bytes_max: int = 50 * 1024 * 1024
    file_bytes_max: int = 10 * 1024 * 1024
    files_changed_max: int = 2_000


class RefusalCode(StrEnum):
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    OTHER_BASE = "other_base"
    PROTECTED_PATH = "protected_path"
    LEAVES_THE_TREE = "leaves_the_tree"
    FOREIGN_OBJECT = "foreign_object"
    HOLDS_A_KEY = "holds_a_key"
    EMPTY = "empty"
    REFUSED_BY_GITHUB = "refused_by_github"


class BundleRefusal(Frozen):
    """Why a bundle, or some of its files, stays out of the head."""

    code: RefusalCode
    sentence: str
    paths: tuple[str, ...] = ()


class ImportedHead(Frozen):
    """The agent's tree, checked; our own commit is made of it. `paths` are what it changed.

    `refused` are files that broke a rule: the tree is without them.
    """

    tree: Sha
    paths: tuple[str, ...]
    refused: BundleRefusal | None = None


class PushRules(Frozen):
    """What a push to a change's branch is measured by: main, the candidates that we showed there,
    and the gitignore patterns of paths that it may not touch. A file at a key of `artefacts` belongs at
    its value.
    """

    main: Sha
    candidates: tuple[Sha, ...]
    protected: tuple[str, ...]
    artefacts: dict[str, str] = {}


class PushedWork(Frozen):
    """What a person pushed to a change's branch, without what only Headgate writes.

    It stands on `base`, a commit of main. `authors` are `Name <mail>`, the newest first. Not
    `is_own`: it brings nothing that the candidate below it did not have.
    """

    base: Sha
    tree: Sha
    paths: tuple[str, ...]
    authors: tuple[str, ...]
    is_own: bool


class PushRefusal(Frozen):
    """Why a push cannot become the work of a change, and who pushed it."""

    author: str
    sentence: str


class RefUpdate(Frozen):
    """Move `ref` from exactly `old` (None: must not exist) to `new` (None: delete)."""

    ref: Ref
    old: Sha | None
    new: Sha | None


class PushOutcome(StrEnum):
    """What became of a push: all refs moved, or none."""

    DONE = "done"
    STALE = "stale"
    REFUSED = "refused"


class PushResult(Frozen):
    """The outcome of a push and, where it was refused, the server's own words."""

    outcome: PushOutcome
    sentence: str = ""


class MovedBy(StrEnum):
    """How main was moved: GitHub's own compare-and-swap, a push that leases what was there, or GitHub's
    merge of the pull, which leases nothing.
    """

    UPDATE_REFS = "updateRefs"
    PUSH = "push"
    PULL_MERGE = "a merge of its pull"
    MERGE_QUEUE = "GitHub's merge queue"


class QueueStanding(Frozen):
    """Where a pull is in GitHub's merge queue: its place (None: not in it), and when and why it was taken out
    last. `node` is the pull's id in GraphQL.
    """

    node: str
    place: int | None = None
    removed_at: datetime | None = None
    reason: str = ""


class MergeGroup(Frozen):
    """A commit that GitHub's merge queue makes of main (`base`) or of another group, and wants judged."""

    ref: Ref
    sha: Sha
    tree: Sha
    base: Sha


class MergeAnswer(Frozen):
    """What GitHub answered when it was asked to merge a pull: the commit that main has become, or its own
    words; `is_stale` where what it was asked of has moved.
    """

    merged_as: Sha | None = None
    sentence: str = ""
    is_stale: bool = False
