"""`headgate init`: writes into a clone what Headgate needs on the default branch."""

from pathlib import Path

from rich.console import Console

from bot.core.spec.policy_file import POLICY_PATH
from bot.core.talk import setup_text
from bot.core.talk.bootstrap import READ_FOR_POLICY, first_policy
from bot.entry.workflow_files import workflow_files


def run_init(folder: Path) -> int:
    """0: all is there; 2: this is no clone. A file that is there stays as it is."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    if not (folder / ".git").exists():
        console.print(setup_text.no_clone(str(folder)))
        return 2
    names = {path.name for path in folder.iterdir()}
    texts = {
        name: (folder / name).read_text("utf-8", "replace")
        for name in READ_FOR_POLICY
        if (folder / name).is_file()
    }
    for path, text in {**workflow_files(), POLICY_PATH: first_policy(names, texts)}.items():
        place = folder / path
        is_there = place.exists()
        if not is_there:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        console.print(setup_text.init_line(path, is_there))
    console.print(setup_text.INIT_NEXT)
    return 0
