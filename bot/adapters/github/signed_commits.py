"""Reads which commits GitHub calls verified."""

from bot.adapters.github.conversation import Conversation
from bot.adapters.github.shapes import GitCommitAnswer, PullCommitAnswer, read
from bot.core.values.candidate import SignedCommit
from bot.core.values.ids import PullNumber, Sha
from bot.core.values.repository import RepositoryFacts


class SignedCommits(Conversation):
    def signed_commit(self, repository: RepositoryFacts, sha: Sha) -> SignedCommit | None:
        answer = self.get(repository, f"/git/commits/{sha}")
        return None if answer is None else read(GitCommitAnswer, answer).to_value()

    def unsigned_commits(self, repository: RepositoryFacts, pull: PullNumber) -> tuple[Sha, ...]:
        """Those of a pull's first 250 commits that GitHub does not call verified.

        REST, "List commits on a pull request": it lists no more.
        """
        return tuple(
            commit.sha
            for page in self.get_pages(repository, f"/pulls/{pull}/commits", {})
            for commit in read(list[PullCommitAnswer], page)
            if not commit.commit.verification.verified
        )
