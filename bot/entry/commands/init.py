"""`headgate init`: writes into a clone what Headgate needs on the default branch."""

from pathlib import Path

from rich.console import Console

from bot.entry.workflow_files import workflow_files


def run_init(folder: Path) -> int:
    """0: all is there; 2: this is no clone. A file that is there stays as it is."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    if not (folder / ".git").exists():
        console.print(f"{folder} is no clone of a repository.")
        return 2
    for path, text in workflow_files().items():
        place = folder / path
        is_there = place.exists()
        if not is_there:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        console.print(f"{'there already' if is_there else 'written'}: {path}")
    return 0
