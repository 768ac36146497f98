"""Accounts, labels, reactions and comments: what issues and pulls have in common."""

from collections import Counter
from collections.abc import Sequence

from bot.localhub.github_json import Json, iso, node_id
from bot.localhub.graphql.query_context import Arguments, QueryContext, page
from bot.localhub.graphql.resolvers import FieldResolvers
from bot.localhub.model import Account, AccountType, Comment, Label, Reaction
from bot.localhub.shapes.accounts import NODE_PREFIXES
from bot.localhub.shapes.issues import association, issue_html_url

# GraphQL's names of REST's reactions.
_REACTIONS = {
    "+1": "THUMBS_UP",
    "-1": "THUMBS_DOWN",
    "laugh": "LAUGH",
    "hooray": "HOORAY",
    "confused": "CONFUSED",
    "heart": "HEART",
    "rocket": "ROCKET",
    "eyes": "EYES",
}


def reaction_groups(reactions: Sequence[Reaction]) -> list[Json]:
    """All eight, counted, as GitHub lists them."""
    counts = Counter(reaction.content for reaction in reactions)
    return [
        {"content": name, "users": {"totalCount": counts[content]}}
        for content, name in _REACTIONS.items()
    ]


def login(account: Account) -> str:
    """A login as GraphQL shows it: a bot's is without the `[bot]` of REST."""
    return account.login.removesuffix("[bot]")


def _url(context: QueryContext, account: Account, _asked: Arguments) -> str:
    kind = "apps/" if account.type is AccountType.BOT else ""
    return f"{context.hub.base_url}/{kind}{login(account)}"


def _account_table(type_name: str) -> FieldResolvers[Account]:
    plain = {
        "id": lambda account: node_id(NODE_PREFIXES[account.type], account.id),
        "login": login,
        "databaseId": lambda account: account.id,
        "createdAt": lambda account: iso(account.created_at),
    }
    named = {"name": lambda account: account.login} if type_name != "Bot" else {}
    return FieldResolvers(type_name, Account, {**plain, **named}, {"url": _url})


ACCOUNTS = tuple(_account_table(name) for name in ("User", "Bot", "Organization"))

LABEL = FieldResolvers(
    "Label",
    Label,
    {
        "id": lambda label: node_id("LA", label.id),
        "name": lambda label: label.name,
        "description": lambda label: label.description,
        "color": lambda label: label.color,
    },
)


def _comment_url(context: QueryContext, comment: Comment, _asked: Arguments) -> str:
    return f"{issue_html_url(context.hub.state, comment.issue)}#issuecomment-{comment.id}"


COMMENT = FieldResolvers(
    "IssueComment",
    Comment,
    {
        "id": lambda comment: node_id("IC", comment.id),
        "databaseId": lambda comment: comment.id,
        "author": lambda comment: comment.user,
        "authorAssociation": lambda comment: association(comment.issue.repository, comment.user),
        "body": lambda comment: comment.body,
        "createdAt": lambda comment: iso(comment.created_at),
        "updatedAt": lambda comment: iso(comment.updated_at),
        "includesCreatedEdit": lambda comment: comment.updated_at != comment.created_at,
        "isMinimized": lambda _: False,
        "minimizedReason": lambda _: None,
        "reactionGroups": lambda comment: reaction_groups(comment.reactions),
    },
    {
        "url": _comment_url,
        "viewerDidAuthor": lambda context, comment, _: comment.user is context.actor.account,
    },
)


def nothing(_asking: QueryContext, _thing: object, arguments: Arguments) -> Json:
    """A connection to objects that localhub does not have."""
    empty: list[object] = []
    return page(empty, arguments)
