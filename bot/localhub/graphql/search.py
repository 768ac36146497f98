"""GitHub's search of issues, for the qualifiers that clients write; other words are text search.

An unknown qualifier matches nothing, so that no search finds more than it should.
"""

import re

from bot.localhub.model import Issue

_WORD = re.compile(r'(-?)(?:([\w-]+):)?(?:"([^"]*)"|(\S+))')


def matches_search(query: str, issue: Issue) -> bool:
    for sign, key, quoted, bare in _WORD.findall(query):
        is_match = _matches(key.lower(), (quoted or bare).lower(), issue)
        if is_match == (sign == "-"):
            return False
    return True


def _matches(key: str, value: str, issue: Issue) -> bool:
    pull = issue.pull
    match key:
        case "":
            return value in f"{issue.title}\n{issue.body or ''}".lower()
        case "repo":
            return value == issue.repository.full_name.lower()
        case "is" | "type" | "state":
            return _is(value, issue)
        case "label":
            return value in {label.name.lower() for label in issue.labels}
        case "author":
            return value == issue.user.login.lower()
        case "assignee":
            return value in {account.login.lower() for account in issue.assignees}
        case "head":
            return pull is not None and value == pull.head_ref.lower()
        case "base":
            return pull is not None and value == pull.base_ref.lower()
        case _:
            return False


def _is(word: str, issue: Issue) -> bool:
    match word:
        case "issue":
            return issue.pull is None
        case "pr" | "pull-request":
            return issue.pull is not None
        case "open" | "closed":
            return issue.state == word
        case "merged":
            return issue.pull is not None and issue.pull.merged_at is not None
        case _:
            return False
