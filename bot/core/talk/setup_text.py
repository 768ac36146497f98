"""What people read while they set Headgate up: pages, the command line, and what is wrong."""

from collections.abc import Sequence
from datetime import timedelta

CODE_WRONG = (
    "This link is no longer valid, because its code works only once. Run `headgate setup` "
    "again, or use the newest link in the output of `headgate up`."
)
CODE_MISSING = (
    "Open the full link that `headgate setup` or `headgate up` printed. The link contains a code."
)
STATE_WRONG = (
    "GitHub's answer belongs to another setup than the one in this browser. Start again with a "
    "new link from `headgate setup`."
)
ALREADY_SET_UP = "This Headgate has its App. To check it, run `headgate doctor`."
CODE_USED_OR_EXPIRED = (
    "GitHub no longer accepts this code: it works once, within an hour. Create the App again. "
    "If the code already created an App, delete that App in your account's settings (Developer "
    "settings → GitHub Apps)."
)
NOT_SET_UP = "This Headgate has no App yet. Open the link that it printed."
INSTALLED = (
    "Headgate is installed. Within a minute it opens a pull request in each repository that "
    "has no policy yet. The pull request says what to do next."
)


def github_unreachable(api_url: str, detail: str) -> str:
    return (
        f"{api_url} did not answer ({detail}). Check the address and the proxy, then load this "
        "page again. The code works for an hour."
    )


def github_refused(detail: str) -> str:
    return f"GitHub returned no App for this code ({detail}). Create the App again."


def webhook_not_an_address(url: str) -> str:
    return (
        f"`{url}` is not the address of a server. Enter an address that begins with https:// "
        "and names a public host."
    )


NO_KEY_MEND = (
    "set HEADGATE_PRIVATE_KEY_FILE to the .pem file from GitHub, and let this user read it; or "
    "remove HEADGATE_APP_ID from the settings and create a new App"
)


def key_missing(app_id: int, file: str) -> str:
    """`file` is where the settings say that the key is; empty where they do not."""
    where = f": {file} does not exist, or this user cannot read it" if file else ""
    return f"there is no private key for App {app_id}{where}"


def no_key(app_id: int, file: str) -> str:
    said = key_missing(app_id, file)
    return f"{said[:1].upper()}{said[1:]}: {NO_KEY_MEND}."


# GitHub accepts an App's token of 10 minutes; ours begins a minute ago and lasts five.
CLOCK_OFF_MAX = timedelta(seconds=60)


def clock_fix(ahead: timedelta) -> str:
    """What to do about the clock, after GitHub refused a token for it."""
    off = clock_off(ahead)
    return f"{off[0].upper()}{off[1:]}: set it (`timedatectl set-ntp true`)."


def clock_off(ahead: timedelta) -> str:
    seconds = round(abs(ahead).total_seconds())
    shown = f"{seconds // 60} min {seconds % 60} s" if seconds >= 60 else f"{seconds} s"
    return f"this machine's clock is {shown} {'ahead' if ahead > timedelta() else 'behind'}"


def open_link(link: str) -> str:
    return f"Open this once, in a browser on this machine: {link}"


def app_made(name: str, file: str) -> str:
    return f"The App {name} was created. Its keys are in {file}."


def app_already_there(app_id: int, file: str) -> str:
    return (
        f"There is an App already (HEADGATE_APP_ID={app_id}). To check it, run `headgate "
        "doctor`. To create another one, remove this setting from the environment and from "
        f"{file}."
    )


def installed_in(names: Sequence[str]) -> str:
    return f"Installed in {', '.join(names)}."


def not_installed(install_url: str) -> str:
    return f"It is not installed yet. Install it at {install_url}."


NEXT_UP = (
    "Next, run `headgate up`. It opens a pull request in each repository, which says what to "
    "do next."
)
NEXT_RUNNING = (
    "The running server has loaded the settings. It opens a pull request in each repository."
)


def webhook_added(url: str, settings_url: str) -> str:
    return (
        f"GitHub's webhook is {url}, and the server has its secret. If `Active` is not ticked "
        f"at {settings_url}, tick it; only a person can do this."
    )


WAITS_FOR_APP = (
    "There is no App yet, so Headgate waits. Run `headgate setup` to create one, or set "
    "HEADGATE_APP_ID and HEADGATE_PRIVATE_KEY_FILE and start again."
)
NO_APP = "There is no App yet. To create one, run `headgate setup`."


def no_clone(folder: str) -> str:
    return f"{folder} is not a git clone. Change to the clone of the repository, and try again."


def no_file(path: str) -> str:
    return f"{path} is not a file. Move it to another place, and try again."


def init_line(path: str, is_there: bool) -> str:
    return f"{'is there' if is_there else 'written'}: {path}"


INIT_NEXT = (
    "Read the policy and correct its commands. Then commit and push to the default branch (or "
    "to the branch of Headgate's first pull request)."
)


def public_without_owners(slug: str) -> str:
    return (
        f"The App {slug} is public, so anybody may install it and spend money with this "
        "server's model key. Set HEADGATE_OWNERS to the accounts that this server works for, "
        "separated by commas, or make the App private on its settings page."
    )
