"""What people read while they set Headgate up: pages, the command line, and what is wrong."""

from collections.abc import Sequence
from datetime import timedelta

CODE_WRONG = (
    "This link is not good any more. Its code works once: start `headgate setup` again, or look for "
    "the newest link in the output of `headgate up`."
)
CODE_MISSING = "Open the link that `headgate setup` or `headgate up` has printed; it has a code."
STATE_WRONG = (
    "GitHub came back to another set-up than the one that this browser has begun. Begin again with "
    "a new link from `headgate setup`."
)
ALREADY_SET_UP = "This Headgate has its App. `headgate doctor` says how it is."
CODE_USED_OR_EXPIRED = (
    "GitHub does not know this code any more: it is good once, and for an hour. Create the App again; "
    "an App that was made with it can be deleted in your account's settings (Developer settings → "
    "GitHub Apps)."
)
NOT_SET_UP = "This Headgate has no App yet. Open the link that it has printed."
INSTALLED = (
    "Headgate is installed. Within a minute it opens a pull request in each repository that has no "
    "policy yet; it says what to do next."
)


def github_unreachable(api_url: str, detail: str) -> str:
    return (
        f"{api_url} did not answer ({detail}). Check the address and the proxy, then load this page "
        "again: the code is good for an hour."
    )


def github_refused(detail: str) -> str:
    return f"GitHub gave no App for this code ({detail}). Create the App again."


def webhook_not_an_address(url: str) -> str:
    return f"`{url}` is no address of a server. It begins with https:// and names a public host."


NO_KEY_MEND = (
    "point HEADGATE_PRIVATE_KEY_FILE at the .pem file that GitHub gave you, which this user can read, "
    "or take HEADGATE_APP_ID out of the settings and make a new App"
)


def key_missing(app_id: int, file: str) -> str:
    """`file` is where the settings say that the key is; empty where they do not."""
    where = f"; {file} is not there, or this user cannot read it" if file else ""
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
    return f"The App {name} is made; its keys are in {file}."


def app_already_there(app_id: int, file: str) -> str:
    return (
        f"There is an App already (HEADGATE_APP_ID={app_id}). `headgate doctor` looks at it. To make "
        f"another one, take it out of the environment and of {file}."
    )


def installed_in(names: Sequence[str]) -> str:
    return f"Installed in {', '.join(names)}."


def not_installed(install_url: str) -> str:
    return f"It is installed nowhere yet. Install it at {install_url}."


NEXT_UP = (
    "Next: `headgate up`. It opens a pull request in each repository, and says there what next."
)
NEXT_RUNNING = (
    "The running server has taken the settings; it opens a pull request in each repository."
)


def webhook_added(url: str, settings_url: str) -> str:
    return (
        f"GitHub's webhook is {url}, and the server takes its secret. If `Active` is not ticked at "
        f"{settings_url}, tick it: only a person can."
    )


WAITS_FOR_APP = (
    "There is no App yet, and nothing to do without one: `headgate setup` makes it, or set "
    "HEADGATE_APP_ID and HEADGATE_PRIVATE_KEY_FILE and start again. Waiting."
)
NO_APP = "There is no App yet: `headgate setup` makes one."


def no_clone(folder: str) -> str:
    return f"{folder} is not a git clone. Go into the clone of the repository, and try again."


def no_file(path: str) -> str:
    return f"{path} is no file. Move it out of the way, and try again."


def init_line(path: str, is_there: bool) -> str:
    return f"{'is there' if is_there else 'written'}: {path}"


INIT_NEXT = (
    "Look at the policy, correct its commands, then commit and push to the default branch (or to the "
    "branch of Headgate's first pull)."
)


def public_without_owners(slug: str) -> str:
    return (
        f"The App {slug} is public: everybody may install it, and would spend this server's model key. "
        "Set HEADGATE_OWNERS to the accounts that this server works for, with commas, or make the App "
        "private on its settings page."
    )
