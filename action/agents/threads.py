"""What an agent says of threads of reviews: a file that it leaves, whatever kind of agent it is."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from action.report import ACCOUNT_CHARACTERS_MAX, ThreadAccount

# Where an agent leaves its accounts, in the work tree; it is no part of the work.
THREADS_FILE = ".headgate/threads.json"

# As many as things that one change is told at most (`TOLD_MAX` of the server).
_ACCOUNTS_MAX = 50


class _Account(BaseModel):
    model_config = ConfigDict(frozen=True)

    thread: Annotated[int, Field(ge=1, le=_ACCOUNTS_MAX)]
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Accounts(BaseModel):
    model_config = ConfigDict(frozen=True)

    threads: Annotated[tuple[_Account, ...], Field(max_length=_ACCOUNTS_MAX)]


def read_accounts(left: bytes) -> tuple[ThreadAccount, ...]:
    """The accounts in the file; none where it cannot be read, so that each thread stays open."""
    try:
        said = _Accounts.model_validate_json(left)
    except ValidationError:
        return ()
    return tuple(
        ThreadAccount(thread=one.thread, text=one.text[:ACCOUNT_CHARACTERS_MAX])
        for one in said.threads
    )
