"""Reads, merges and makes commits in a mirror.

The same recipe always gives the same commit (law 9), whatever the machine, its clock and its time zone.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.adapters.git.loose_objects import loose_object, loose_tree_of
from bot.adapters.git.process import CallOptions, GitFailed, GitProgram
from bot.core.values.candidate import CommitRecipe, MergeConflict, MergedTree
from bot.core.values.ids import Sha
from bot.core.values.repository import CommitFacts

_CHANGE = "%(trailers:key=Change,valueonly,separator=%x20)"
_FIELDS = ("%H", "%T", "%P", "%an", "%ct", "%s", _CHANGE)
_LOG = (
    *("log", "--first-parent", "--diff-merges=first-parent", "--no-show-signature"),
    *("--raw", "-r", "-z", "--no-renames", "--no-abbrev", "--encoding=UTF-8"),
    "--format=tformat:" + "%x00".join(_FIELDS),
)
_COMMIT = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", "--no-gpg-sign")

# Renamed and changed, each is compared with each: a thousand take git some five seconds.
_RENAMES_MAX = 1_000

_ERROR = re.compile(r"^(error|fatal): ", re.MULTILINE)


@dataclass(frozen=True)
class Commits:
    git: GitProgram
    mirror: Path

    def has(self, sha: Sha) -> bool:
        if loose_object(self.mirror, sha) is not None:
            return True
        return self.git.attempt(self.mirror, ["cat-file", "-e", sha]).code == 0

    def tree_of(self, commit: Sha) -> Sha:
        loose = loose_tree_of(self.mirror, commit)
        if loose is not None:
            return Sha(loose)
        output = self.git.run(self.mirror, ["rev-parse", "--verify", f"{commit}^{{tree}}"])
        return Sha(output.decode().strip())

    def changed_paths(self, old: Sha, new: Sha) -> tuple[str, ...]:
        options = ["diff-tree", "-r", "-z", "--no-renames", "--name-only"]
        output = self.git.run(self.mirror, [*options, old, new])
        return tuple(output.decode("utf-8", errors="replace").split("\0")[:-1])

    def history(self, since: Sha, until: Sha) -> tuple[CommitFacts, ...] | None:
        if since == until:
            return ()
        output = self.git.run(
            self.mirror,
            [*_LOG, f"{since}..{until}", "--"],
        )
        line = _parse_log(output.decode("utf-8", errors="replace"))
        line.reverse()
        return tuple(line) if line and line[0].parents[:1] == (since,) else None

    def changed_together(self, until: Sha, commits_max: int) -> tuple[tuple[str, ...], ...]:
        options = ["log", "--first-parent", "--diff-merges=first-parent", "--no-show-signature"]
        options += ["--name-only", "-z", "--no-renames", "--format=tformat:%x01"]
        output = self.git.run(self.mirror, [*options, f"--max-count={commits_max}", until, "--"])
        said = output.decode("utf-8", errors="replace").split("\x01")[1:]
        return tuple(tuple(path for path in one.strip("\n\0").split("\0") if path) for one in said)

    def last_change(self, until: Sha, path: str) -> Sha | None:
        options = ["rev-list", "--first-parent", "--max-count=1", until, "--", f":(literal){path}"]
        return Sha(self.git.run(self.mirror, options).decode().strip()) or None

    def fork(self, main: Sha, head: Sha) -> Sha | None:
        return next(iter(self._forks(main, head)), None)

    def _forks(self, main: Sha, head: Sha) -> tuple[Sha, ...]:
        """The newest commits that both have, the best first."""
        answer = self.git.attempt(self.mirror, ["merge-base", "--all", main, head])
        # 1: they have none. What git warns of is no failure.
        if answer.code > 1 or _ERROR.search(answer.complaint):
            raise GitFailed(answer.code, answer.complaint)
        return tuple(Sha(line) for line in answer.out.decode().split())

    def since(self, main: Sha, head: Sha) -> tuple[Sha, ...]:
        """The commits of `head` that main lacks, children before their parents."""
        output = self.git.run(self.mirror, ["rev-list", "--topo-order", head, f"^{main}", "--"])
        return tuple(Sha(line) for line in output.decode().splitlines())

    def merge(self, base: Sha, head: Sha) -> MergedTree | MergeConflict:
        """A three-way merge of two commits, without a work tree.

        git 2.39 takes a missing tree for an empty one and says nothing, so all are looked for.
        """
        self._must_be_whole(base, head)
        options = ["--write-tree", "-z", "--name-only", "--no-messages"]
        limit = ["-c", f"merge.renameLimit={_RENAMES_MAX}"]
        answer = self.git.attempt(self.mirror, [*limit, "merge-tree", *options, base, head])
        tree, *files = answer.out.decode("utf-8", errors="replace").split("\0")
        if answer.code == 0:
            return MergedTree(tree=Sha(tree))
        if answer.code == 1 and tree:
            return MergeConflict(
                tree=Sha(tree), files=tuple(sorted({file for file in files if file}))
            )
        raise GitFailed(answer.code, answer.complaint)

    def _must_be_whole(self, base: Sha, head: Sha) -> None:
        """Raises `GitFailed` where a tree or file of the two, or of what they have in common, is missing."""
        whole = [base, head, *self._forks(base, head)]
        self.git.run(self.mirror, ["rev-list", "--objects", "--quiet", "--no-walk", *whole, "--"])

    def since_fork(self, base: Sha, head: Sha, paths: tuple[str, ...]) -> str:
        """The diff of the paths from the fork of `head` to `base`; empty if there is none."""
        options = ["--no-color", "--no-ext-diff", "--no-textconv", f"{head}...{base}", "--", *paths]
        return self.git.run(self.mirror, ["diff", *options]).decode("utf-8", errors="replace")

    def commit(self, recipe: CommitRecipe) -> Sha:
        who = {
            f"GIT_{role}_{field}": value
            for role, name, email in (
                ("AUTHOR", recipe.author_name, recipe.author_email),
                (
                    "COMMITTER",
                    recipe.committer_name or recipe.author_name,
                    recipe.committer_email or recipe.author_email,
                ),
            )
            for field, value in (
                ("NAME", name),
                ("EMAIL", email),
                ("DATE", f"@{int(recipe.at.timestamp())} +0000"),
            )
        }
        parents = [option for parent in recipe.parents for option in ("-p", parent)]
        output = self.git.run(
            self.mirror,
            [*_COMMIT, *parents, recipe.tree],
            recipe.message.encode(),
            CallOptions(environment=who),
        )
        return Sha(output.decode().strip())


def _parse_log(output: str) -> list[CommitFacts]:
    """Each commit is its fields, then pairs of a line that begins with a colon and a path."""
    tokens = output.split("\0")
    commits = []
    at = 0
    while at + len(_FIELDS) <= len(tokens):
        sha, tree, parents, author, seconds, subject, change = tokens[at : at + len(_FIELDS)]
        at += len(_FIELDS)
        paths = []
        while at + 1 < len(tokens) and tokens[at].lstrip("\n").startswith(":"):
            paths.append(tokens[at + 1])
            at += 2
        commits.append(
            CommitFacts(
                sha=Sha(sha.strip()),
                tree=Sha(tree),
                parents=tuple(Sha(parent) for parent in parents.split()),
                author=author,
                subject=subject,
                committed_at=datetime.fromtimestamp(int(seconds), UTC),
                paths=tuple(paths),
                change=change,
            )
        )
    return commits
