"""Files of rules that a change deletes: a linter, type checker or formatter that has no rules of the project any more."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from gates.asked_less.weaker import Edited, Less, Weaker

# What judges, the names of files that are its own, and what it is for.
_TOOLS: Mapping[str, tuple[re.Pattern[str], str]] = MappingProxyType(
    {
        tool: (re.compile(names), family)
        for tool, names, family in (
            ("flake8", r"\.flake8", "python"),
            ("pylint", r"\.?pylintrc(?:\.toml)?", "python"),
            ("ruff", r"\.?ruff\.toml", "python"),
            ("mypy", r"\.?mypy\.ini", "types of python"),
            ("pyright", r"pyrightconfig\.json", "types of python"),
            ("bandit", r"\.bandit|bandit\.ya?ml", "security"),
            ("eslint", r"\.eslintrc(?:\.\w+)?|eslint\.config\.\w+", "javascript"),
            ("biome", r"biome\.jsonc?", "javascript"),
            ("oxlint", r"\.oxlintrc\.jsonc?", "javascript"),
            ("jshint", r"\.jshintrc", "javascript"),
            ("stylelint", r"\.stylelintrc(?:\.\w+)?|stylelint\.config\.\w+", "styles"),
            ("golangci-lint", r"\.golangci\.(?:ya?ml|toml|json)", "go"),
            ("clippy", r"\.?clippy\.toml", "rust"),
            ("cargo-deny", r"deny\.toml", "crates"),
            ("rubocop", r"\.rubocop\.ya?ml", "ruby"),
            ("semgrep", r"\.semgrep(?:\.ya?ml|ignore)?", "security"),
            ("markdownlint", r"\.markdownlint(?:-cli2)?(?:\.\w+)?", "markdown"),
            ("yamllint", r"\.yamllint(?:\.ya?ml)?", "yaml"),
            ("hadolint", r"\.hadolint\.ya?ml", "containers"),
            ("gitleaks", r"\.gitleaks\.toml", "secrets"),
            ("commitlint", r"\.commitlintrc(?:\.\w+)?|commitlint\.config\.\w+", "messages"),
        )
    }
)
# Where tools have rules beside those of others.
_SHARED = re.compile(r"pyproject\.toml|setup\.cfg|tox\.ini|package\.json|Cargo\.toml")
_SECTION = MappingProxyType(
    {
        "python": r"\[(?:tool[.:])?(?:ruff|flake8|pylint)\b",
        "types of python": r"\[(?:tool[.:])?(?:mypy|pyright|basedpyright)\b",
        "security": r"\[(?:tool[.:])?bandit\b",
        "javascript": r"\"(?:eslintConfig|xo|standard)\"\s*:",
        "styles": r"\"stylelint\"\s*:",
        "messages": r"\"commitlint\"\s*:",
        "rust": r"\[(?:workspace\.)?lints\.clippy\]",
    }
)


def is_shared(path: str) -> bool:
    return _SHARED.fullmatch(PurePosixPath(path).name) is not None


def tool_of(path: str) -> tuple[str, str] | None:
    """The tool whose own file it is, and what that is for."""
    name = PurePosixPath(path).name
    return next(
        ((tool, family) for tool, (names, family) in _TOOLS.items() if names.fullmatch(name)), None
    )


def deleted(
    files: Iterable[Edited], paths: Collection[str], shared: Mapping[str, str]
) -> Iterator[Weaker]:
    """Rules that are gone with their file, where no other tool of the kind has any in the folder or above it.

    `paths` are all of the candidate's, `shared` the texts of those of them that hold rules of many tools. Never raises.
    """
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    gone = [file for file in files if file.before.strip() and not file.after.strip()]
    empty = {file.path for file in gone}
    there = {
        (str(PurePosixPath(path).parent), found[1])
        for path in paths
        if path not in empty and (found := tool_of(path)) is not None
    }
    for path, text in shared.items():
        parent = str(PurePosixPath(path).parent)
        there |= {(parent, family) for family, said in _SECTION.items() if re.search(said, text)}
    for file in gone:
        found = tool_of(file.path)
        above = [str(parent) for parent in PurePosixPath(file.path).parents]
        # In a folder that is gone what it was for is gone with it.
        if found is None or above[0] not in folders or any((a, found[1]) in there for a in above):
            continue
        said = f"The rules of {found[0]} were removed with their file, and no other file has them."
        yield Weaker(Less.RULE, file.path, 1, said)
