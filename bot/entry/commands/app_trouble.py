"""What is wrong between us and GitHub, said by `headgate doctor` and before a start."""

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.core.talk import setup_text
from bot.entry.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.github.registration import AppProblem


def app_trouble(
    problem: "AppProblem", detail: str, ahead: timedelta, settings: Settings
) -> tuple[str, str]:
    """What is wrong between us and GitHub, and the fix."""
    id_, api = settings.app_id, settings.github_api_url
    # The key itself counts before a file with one, so who sets the file must take the key out.
    key = (
        "HEADGATE_PRIVATE_KEY_FILE"
        if settings.private_key is None
        else "HEADGATE_PRIVATE_KEY_FILE, and unset HEADGATE_PRIVATE_KEY, which has priority"
    )
    match problem.value:
        case "no_key":
            says = f"the private key is not an RSA key in PEM format ({detail})"
            return says, f"set {key} to the .pem file from GitHub"
        case "wrong_key":
            how = f"generate a private key in the App's settings, and set {key}"
            return (
                f"GitHub does not accept the key for App {id_}: it belongs to another App, or "
                "it is too old"
            ), how
        case "no_such_app":
            how = "check HEADGATE_APP_ID and HEADGATE_GITHUB_API_URL"
            return f"GitHub ({api}) has no App with the id {id_}", how
        case "clock_off":
            how = (
                "set the clock (`timedatectl set-ntp true`), because GitHub refuses tokens "
                "with a wrong time"
            )
            return setup_text.clock_off(ahead), how
        case "unreachable":
            return (
                f"GitHub ({api}) cannot be reached ({detail})",
                "check HEADGATE_GITHUB_API_URL and the proxy",
            )
        case _:
            return (
                f"GitHub ({api}) refuses the request ({detail})",
                "try again later; see https://www.githubstatus.com",
            )
