"""docs/threats.md: what was tried against Headgate, what holds it, and the test that tries it again.

A test of `tests/security` says both with the marker `attack`:

    @pytest.mark.attack("A repository's spec of 250 kB", held="`bot.core.spec.reading`: a ceiling")

A file's first line, up to a semicolon, is the title of its part of the page.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]
SECURITY = TESTS / "security"

_TOP = """\
# Threats

What has been tried against Headgate. Each row is a test that tries it again, with every change of the
code. "What holds it" names the place in the code. Who is trusted with what: [SECURITY.md](../SECURITY.md).
"""


@dataclass(frozen=True)
class Attack:
    """One marked test; `test` as pytest names it, below the root."""

    part: str
    tried: str
    held: str
    test: str


def threat_page() -> str:
    """The whole page."""
    lines = [_TOP.rstrip()]
    part = ""
    for attack in attacks():
        if attack.part != part:
            part = attack.part
            lines += ["", f"## {part}", "", "| Attack | What holds it | Test |", "|---|---|---|"]
        lines.append(f"| {attack.tried} | {attack.held} | `{attack.test}` |")
    return "\n".join(lines) + "\n"


def attacks(folder: Path = TESTS) -> list[Attack]:
    """Every marked test, file by file; read from the text, so that nothing is imported."""
    files = sorted(folder.rglob("test_*.py"), key=lambda file: (SECURITY not in file.parents, file))
    return [found for file in files for found in _in_file(file, folder)]


def _in_file(file: Path, folder: Path) -> Iterator[Attack]:
    text = file.read_text()
    if "mark.attack" not in text:
        return
    module = ast.parse(text)
    place = f"tests/{file.relative_to(folder)}"
    part = (ast.get_docstring(module) or file.stem).partition(";")[0].splitlines()[0].rstrip(".")
    classes = [
        (f"{node.name}::", node.body) for node in module.body if isinstance(node, ast.ClassDef)
    ]
    for within, body in [("", module.body), *classes]:
        for node in body:
            for call in _marks(node):
                tried = ast.literal_eval(call.args[0])
                held = {word.arg: ast.literal_eval(word.value) for word in call.keywords}["held"]
                name = getattr(node, "name", "")
                yield Attack(part, tried, held, f"{place}::{within}{name}")


def _marks(node: ast.stmt) -> Iterator[ast.Call]:
    if isinstance(node, ast.FunctionDef):
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.attack":
                yield mark
