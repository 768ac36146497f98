"""Where branches are: what is asked for many repositories at once, and what GitHub tells of it."""

from bot.core.values.ids import Frozen, RepositoryId, Sha


class WatchedBranches(Frozen):
    """Branches of a repository, and the full name that it had when it was looked at last."""

    repository: RepositoryId
    full_name: str
    branches: tuple[str, ...]


class BranchTips(Frozen):
    """The tips by branch, as far as GitHub told; `complaint` is its first word about the rest."""

    of: dict[RepositoryId, dict[str, Sha]]
    complaint: str = ""
