"""What the repository asks of those who work in it, as main says it: never as a branch does."""

import re

from action.harness.git import OrderGit

# In the order in which they are shown; an agent that reads them by itself finds them in the tree.
PATHS = ("AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md")
# What the gate `rules` judges by.
_RULES = re.compile(r"\.headgate/rules/[^/]+\.md")


def conventions(git: OrderGit, base_sha: str) -> dict[str, str]:
    """The texts by path; of two that say the same the first."""
    texts: dict[str, str] = {}
    rules = sorted(path for path in git.paths_of(base_sha) if _RULES.fullmatch(path))
    for path in git.regular_files(base_sha, (*PATHS, *rules)):
        text = git.text_of(f"{base_sha}:{path}")
        if text.strip() and text not in texts.values():
            texts[path] = text
    return texts
