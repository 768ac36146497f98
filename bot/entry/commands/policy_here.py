"""The policy file that a command looks at."""

from pathlib import Path

from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk.policy_text import no_file, wrong_lines
from bot.ports import UserError


def policy_at(path: Path, root: Path = Path()) -> Policy:
    """The policy of a file; the defaults if a repository has none at the usual place. Raises `UserError`."""
    try:
        text = path.read_text("utf-8", "replace")
    except FileNotFoundError:
        if path != root / POLICY_PATH:
            raise UserError(no_file(str(path))) from None
        text = None
    except OSError as failure:
        raise UserError(f"{path}: {failure.strerror}.") from failure
    return policy_of(str(path), text)


def policy_of(path: str, text: str | None) -> Policy:
    """Raises `UserError`, with all that is wrong."""
    policy = read_policy(text)
    if isinstance(policy, PolicyRefusal):
        raise UserError(wrong_lines(path, policy.findings))
    return policy
