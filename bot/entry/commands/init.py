"""`headgate init`: writes into a clone what Headgate needs on the default branch."""

from pathlib import Path

from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk import setup_text
from bot.core.talk.bootstrap import first_policy, read_for_policy
from bot.entry.terminal import Terminal
from bot.entry.workflow_files import workflow_files
from gates.profiles.plugins import all_profiles
from gates.profiles.profile import ProfileError


def run_init(folder: Path) -> int:
    """0: all is there; 2: no clone, no file where one belongs, a plugin fails; nothing is written.

    A file that is there stays as it is.
    """
    console = Terminal(stderr=True, soft_wrap=True, highlight=False)
    if not (folder / ".git").exists():
        console.print(setup_text.no_clone(str(folder)))
        return 2
    try:
        policy = _policy(folder)
    except ProfileError as failure:
        console.print(failure.sentence)
        return 2
    files = {**workflow_files(), POLICY_PATH: policy}
    for path in files:
        if (folder / path).exists() and not (folder / path).is_file():
            console.print(setup_text.no_file(path))
            return 2
    for path, text in files.items():
        place = folder / path
        is_there = place.exists()
        if not is_there:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        console.print(setup_text.init_line(path, is_there))
    console.print(setup_text.INIT_NEXT)
    return 0


def _policy(folder: Path) -> str:
    profiles = all_profiles()
    texts = {
        name: (folder / name).read_text("utf-8", "replace")
        for name in read_for_policy(profiles)
        if (folder / name).is_file()
    }
    return first_policy({path.name for path in folder.iterdir()}, texts, profiles)
