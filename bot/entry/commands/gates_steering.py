"""What the work in a clone changes of the files by which it is judged."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.git.commits import Commits
from bot.adapters.git.process import GitProgram
from bot.adapters.git.trees import Trees
from bot.core.spec.policy import Policy
from bot.core.values.ids import Sha
from bot.core.values.steering import Steering
from bot.shell.steering import Judged, steering_between


@dataclass(frozen=True)
class _Clone:
    git: GitProgram
    git_dir: Path

    def changed_paths(self, old: Sha, new: Sha) -> tuple[str, ...]:
        return Commits(self.git, self.git_dir).changed_paths(old, new)

    def blobs(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, Sha]:
        return Trees(self.git, self.git_dir).blobs(tree, prefixes)

    def links(self, tree: Sha) -> Mapping[str, str]:
        return Trees(self.git, self.git_dir).links(tree)

    def files(self, tree: Sha, prefixes: tuple[str, ...]) -> Mapping[str, bytes]:
        return Trees(self.git, self.git_dir).files(tree, prefixes)


def steering_here(git_dir: Path, base: Sha, head: Sha, policy: Policy) -> Steering:
    setup = tuple(line.run for line in policy.setup)
    judged = Judged(base, head, head, policy.all_lines, setup)
    with tempfile.TemporaryDirectory(prefix="headgate-git-") as home:
        return steering_between(_Clone(GitProgram(Path(home), ()), git_dir), judged)
