"""`python -m gates` as a harness starts it: another process, another folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import gates
from gates.result import GateReport
from tests.gates.checkouts import Repository

REPORT = TypeAdapter(GateReport)
OUR_ROOT = Path(gates.__file__).parent.parent


class CommandLine:
    """Starts the program over one repository, in a folder of its own."""

    def __init__(self, repository: Repository, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "report.json"
        self.scratch = folder / "scratch"
        self.scratch.mkdir(parents=True)
        self.arguments = [
            *("--definition", str(folder / "definition.json")),
            *("--checkout", str(repository.folder)),
            *("--diff-base", repository.base_sha),
            *("--out", str(self.out)),
        ]

    def define(self, **definition: object) -> None:
        (self.folder / "definition.json").write_text(json.dumps(definition))

    def start(self, *more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "gates", *self.arguments, *more],
            cwd=self.folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(OUR_ROOT),
                "TMPDIR": str(self.scratch),
                "LC_ALL": "C.UTF-8",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *more: str) -> tuple[int, str, str]:
        with self.start(*more) as process:
            said, complained = process.communicate(timeout=60)
        return process.returncode, said, complained

    def report(self) -> GateReport:
        return REPORT.validate_json(self.out.read_text())


@pytest.fixture
def command_line(repository: Repository, tmp_path: Path) -> CommandLine:
    return CommandLine(repository, tmp_path / "harness")


SCOPE = {"name": "scope", "judges": "diff", "builtin": "scope_check"}


def test_a_good_candidate_passes(repository: Repository, command_line: CommandLine) -> None:
    head = repository.commit({"src/new.py": "NEW = 1\n"})
    command_line.define(
        gates=[
            {"name": "junk", "judges": "diff", "builtin": "junk"},
            SCOPE,
            {"name": "odd", "judges": "tree", "command": "false", "required": False},
        ],
        protected=[".github/"],
        archive_paths=["openspec/specs"],
    )
    code, said, complained = command_line.run()
    assert code == 0
    assert said.startswith(f"{head} (tree ")
    assert "       passed  scope: The diff (1 file, +1 −0) stays in its scope." in said
    assert "Gate 2 of 3: scope" in complained
    assert [result.gate for result in command_line.report().results] == ["junk", "scope", "odd"]
    assert not list(command_line.scratch.iterdir())


def test_a_candidate_that_touches_a_protected_path_fails(
    repository: Repository, command_line: CommandLine
) -> None:
    repository.commit({".github/workflows/ci.yml": "on: push\n"})
    command_line.define(gates=[SCOPE], protected=[".github/"])
    code, said, _ = command_line.run("--json")
    assert code == 1
    assert REPORT.validate_json(said) == command_line.report()
    assert command_line.report().results[0].ending == "failed"


def test_no_gates_do_not_pass(command_line: CommandLine) -> None:
    command_line.define(gates=[])
    assert command_line.run()[0] == 1
    assert command_line.report().results == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "Invalid JSON"),
        ("{}", "gates"),
        ('{"gates": [], "extra": 1}', "extra"),
        ('{"gates": [{"name": "x", "judges": "moon"}]}', "judges"),
        (
            '{"gates": [{"name": "x", "judges": "tree"}, {"name": "x", "judges": "tree"}]}',
            "two gates have the name 'x'",
        ),
        (None, "No such file"),
    ],
)
def test_an_unreadable_definition_produces_no_report(
    command_line: CommandLine, text: str | None, says: str
) -> None:
    command_line.out.write_text("an older report")
    if text is not None:
        (command_line.folder / "definition.json").write_text(text)
    code, said, complained = command_line.run()
    assert (code, said) == (2, "")
    assert complained.startswith("No gate could run.")
    assert says in complained
    assert not command_line.out.exists()


def test_options_are_explained_and_required(command_line: CommandLine) -> None:
    code, said, _ = command_line.run("--help")
    assert code == 0
    assert "0 every required gate passed, 1 one did not pass, 2 no gate could run" in " ".join(
        said.split()
    )
    command_line.arguments = []
    assert command_line.run()[0] == 2
