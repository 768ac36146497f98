"""The names of things: one type per id, and the base of every value of the core.

An id is a plain string or number at run time and a type of its own to the checker, so that a SHA is
never passed where a slug is meant.
"""

from typing import NewType, Self

from pydantic import BaseModel, ConfigDict

RepositoryId = NewType("RepositoryId", int)
InstallationId = NewType("InstallationId", int)
CommentId = NewType("CommentId", int)
ReviewCommentId = NewType("ReviewCommentId", int)
IssueNumber = NewType("IssueNumber", int)
PullNumber = NewType("PullNumber", int)
WorkflowRunId = NewType("WorkflowRunId", int)

# A full 40-digit git object id, lower case.
Sha = NewType("Sha", str)
# A full ref name, such as refs/heads/main.
Ref = NewType("Ref", str)
# <spec-key>#<id>, created once (core.spec.identity.register).
RequirementId = NewType("RequirementId", str)
# A spec at one approved blob: <spec-key>@<first 8 digits of the blob>.
SpecRunId = NewType("SpecRunId", str)
# The slug of a change inside its spec run, unique per repository by its spec run.
Slug = NewType("Slug", str)
# <spec run>/<slug>
ChangeId = NewType("ChangeId", str)
# What is in the queue: change:<change> or pull:<number>.
EntryId = NewType("EntryId", str)
# A candidate: counted in the journal of its repository, never given twice.
CandidateId = NewType("CandidateId", int)
# An order: o<sequence number>, unique per repository.
OrderId = NewType("OrderId", str)
# The natural key of an effect; two effects with one key are the same action.
EffectKey = NewType("EffectKey", str)
# sha256 of stored bytes, hexadecimal.
Digest = NewType("Digest", str)


class Frozen(BaseModel):
    """A value: immutable, compared by content, strict about keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def replace(self, **changes: object) -> Self:
        """A copy with some fields replaced; the type checker knows the fields and their types."""
        return self.model_copy(update=changes)
