"""The one mutation that localhub answers: moving refs, several at once or none."""

from bot.localhub.errors import ApiError
from bot.localhub.graphql.asking import Arguments, Asking, Refusal
from bot.localhub.graphql.repositories import Root, by_id
from bot.localhub.graphql.tables import Table
from bot.localhub.model import Repository
from bot.localhub.refs import RefWish
from bot.localhub.wire import Json


def _update_refs(asking: Asking, _root: Root, asked: Arguments) -> Json:
    """Compare and swap: nothing moves where one `beforeOid` is not what its ref points to."""
    wish = asked.part("input")
    repository = by_id(asking, wish.text("repositoryId"))
    if not isinstance(repository, Repository):
        raise Refusal("NOT_FOUND", "The node is no repository")
    asking.hub.access.require(asking.actor, repository, "contents", "write")
    wishes = [
        RefWish(
            ref=one.text("name"),
            after=one.text("afterOid"),
            before=one.text("beforeOid") or None,
            is_forced=one.values.get("force") is True,
        )
        for one in wish.parts("refUpdates")
    ]
    try:
        asking.hub.refs.move_together(repository, asking.actor, wishes)
    except ApiError as error:
        raise Refusal("UNPROCESSABLE", error.message) from error
    return {"clientMutationId": wish.values.get("clientMutationId")}


MUTATION = Table("Mutation", Root, {}, {"updateRefs": _update_refs})
