"""Reads where branches of many repositories are, in one query of GraphQL that costs one point.

GitHub answers what it can: a repository that is gone, renamed to another's name or not ours to read is
null beside an error, and an answer may end early. Only what is told in full form counts.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import StringConstraints, ValidationError

from bot.adapters.github.conversation import Conversation
from bot.adapters.github.graphql import (
    GraphQLAnswer,
    GraphQLUnavailable,
    complaint_of,
    limit_of,
)
from bot.adapters.github.shapes import AnswerPart, read
from bot.core.values.branch_tips import BranchTips, WatchedBranches
from bot.core.values.ids import InstallationId, Sha
from bot.ports import Retryable, UserError


class _Target(AnswerPart):
    oid: Annotated[str, StringConstraints(pattern="^[0-9a-f]{40}$", strict=True)]


class _Branch(AnswerPart):
    target: _Target


class TipReads(Conversation):
    def tips(self, installation: InstallationId, asked: Sequence[WatchedBranches]) -> BranchTips:
        """The tips of branches of an installation's repositories, under their names of now or before.

        Raises `Limited` for a secondary limit alone: GraphQL's points are not REST's requests.
        """
        query, variables = _query(asked)
        answer = read(
            GraphQLAnswer,
            self._with_token(
                lambda: self.tokens.token_to_watch(installation),
                lambda token: self.api.query(query, token, variables),
            ),
        )
        if limit := limit_of(answer):
            raise Retryable(limit.sentence, limit.after) if answer.is_out_of_points else limit
        if answer.data is None:
            raise _without_data(answer)
        found = ((one, answer.data.get(f"r{place}")) for place, one in enumerate(asked))
        tips = {one.repository: _tips_in(one, told) for one, told in found}
        return BranchTips(
            of={repository: some for repository, some in tips.items() if some},
            complaint=answer.complaint,
        )


def _query(asked: Sequence[WatchedBranches]) -> tuple[str, Mapping[str, str]]:
    """The query, with an alias for each repository and each branch, and its variables."""
    variables: dict[str, str] = {}
    fields = []
    for place, one in enumerate(asked):
        owner, _, name = one.full_name.partition("/")
        variables |= {f"o{place}": owner, f"n{place}": name}
        refs = []
        for number, branch in enumerate(one.branches):
            variables[f"b{place}_{number}"] = f"refs/heads/{branch}"
            refs.append(f"b{number}: ref(qualifiedName: $b{place}_{number}) {{ target {{ oid }} }}")
        where = f"repository(owner: $o{place}, name: $n{place})"
        fields.append(f"r{place}: {where} {{ databaseId {' '.join(refs)} }}")
    declared = ", ".join(f"${name}: String!" for name in variables)
    return f"query({declared}) {{ {' '.join(fields)} }}", variables


def _tips_in(asked: WatchedBranches, told: object) -> dict[str, Sha]:
    """The branches that are told of; none where the name has become another repository's."""
    if not isinstance(told, dict) or told.get("databaseId") != asked.repository:
        return {}
    found = {
        branch: _tip_in(told.get(f"b{number}")) for number, branch in enumerate(asked.branches)
    }
    return {branch: tip for branch, tip in found.items() if tip is not None}


def _tip_in(told: object) -> Sha | None:
    try:
        return Sha(_Branch.model_validate(told).target.oid)
    except ValidationError:
        return None


def _without_data(answer: GraphQLAnswer) -> Retryable | UserError:
    try:
        said = complaint_of(answer)
    except GraphQLUnavailable as unavailable:
        return UserError(f"GraphQL is not available: {unavailable}")
    except Retryable as failure:
        return failure
    return Retryable(f"GitHub answers without data: {said or 'nothing'}")
