"""What a gate costs beside its own time: the harness's whole way, in real walls, for lines that do nothing.

`make bench-gates` fails where a bound is broken; it counts wall-clock time of an idle machine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from action.halt import Halt
from action.harness.folder import order_folder
from action.harness.gate_order import run_gate_order
from action.harness.order_context import OrderContext
from action.harness.progress import Progress
from action.order import GateOrder, SetupCommand
from gates.result import Ending, GateDefinition, Judges

GATES = 5
# Seconds for one gate, by how many files setup makes.
BOUNDS = {200: 0.15, 20_000: 0.5}
SECOND_ORDER_SECONDS = 3.0
RED_SECONDS = 2
RED_BOUND = 1.1 * RED_SECONDS + 2
TEST_FILES = 400
MEMORY_MIB = 60
ROOT = Path(__file__).parents[2]
MAKE_FILES = """\
import pathlib
for folder in range({files} // 100):
    place = pathlib.Path("node_modules", f"package{{folder}}")
    place.mkdir(parents=True)
    for file in range(100):
        (place / f"file{{file}}.js").write_text("module.exports = 1;\\n" * 50)
"""


@dataclass
class Notes:
    """When each step of an order began and ended."""

    at: dict[str, float] = field(default_factory=dict)

    def say(self, sentence: str) -> None:
        self.at[sentence] = time.monotonic()


def make_repository(folder: Path, files: int) -> str:
    """A small project whose setup makes so many files; its commit."""

    folder.mkdir()
    _git(folder, "init", "-q", "-b", "main")
    (folder / "make_files.py").write_text(MAKE_FILES.format(files=files))
    for number in range(200):
        (folder / f"source{number}.js").write_text("module.exports = 2;\n")
    return commit(folder)


def commit(folder: Path) -> str:
    """All that is there, as a commit."""
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "A project")
    return _git(folder, "rev-parse", "HEAD")


def _git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=b", "-c", "user.email=b@example.org")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def measure(repository: Path, sha: str) -> tuple[float, list[float]]:
    """Seconds until the first gate, and those of each gate."""
    names = [f"gate{number}" for number in range(GATES)]
    began, at, endings = carry_out(repository, sha, dict.fromkeys(names, "true"))
    assert set(endings.values()) == {Ending.PASSED}, endings
    starts = [at[f"{name} starts"] for name in names]
    ends = [at[f"{name}: passed"] for name in names]
    return starts[0] - began, [end - start for start, end in zip(starts, ends, strict=True)]


def first_red(repository: Path, sha: str) -> float:
    """Seconds from the order to the word that a gate is red, beside slower ones."""
    lines = {"slow": f"sleep {3 * RED_SECONDS}", "red": f"sleep {RED_SECONDS}; exit 1"}
    began, at, endings = carry_out(repository, sha, lines)
    assert endings["red"] is Ending.FAILED, endings
    return at["red: failed"] - began


def carry_out(
    repository: Path, sha: str, lines: dict[str, str]
) -> tuple[float, dict[str, float], dict[str, Ending]]:
    """When an order of these gates began, when each step was told, and how each gate ended."""
    order = GateOrder(
        order_id="bench",
        repository="bench/bench",
        clone_url="",
        candidate_sha=sha,
        candidate_ref="refs/heads/main",
        diff_base_sha=sha,
        definition_hash="bench",
        gates=tuple(
            GateDefinition(name=name, judges=Judges.TREE, command=line)
            for name, line in lines.items()
        ),
        setup=(SetupCommand(run="python3 make_files.py"),),
        setup_sha=sha,
        # As a policy has it that says nothing.
        at_once=0,
    )
    outer = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    outer |= {
        "RUNNER_TEMP": str(repository.parent),
        "HEADGATE_LAYERS": str(repository.parent / "l"),
    }
    notes = Notes()
    with order_folder(outer) as folder:
        began = time.monotonic()
        context = OrderContext(folder, outer, "", Halt(), Progress(notes.say))
        context.git.create()
        context.git.bring(repository, sha)
        said = run_gate_order(order, context)
    report = said.report
    assert report is not None, said.sentence
    return began, notes.at, {result.gate: result.ending for result in report.results}


def judge_memory(repository: Path, base: str) -> float:
    """MiB at the peak of Headgate's own gates, where a change touches many files of tests."""
    for number in range(TEST_FILES):
        tests = "".join(
            f"def test_{n}():\n    assert price({n}) == {n * 5}\n\n\n" for n in range(20)
        )
        (repository / f"test_{number}.py").write_text(tests)
    commit(repository)
    place = repository.parent
    (place / "definition.json").write_text(
        json.dumps(
            {
                "gates": [
                    {"name": n, "judges": judges, "builtin": n}
                    for n, judges in (("tests", "change"), ("junk", "diff"))
                ],
                "protected": [".github/"],
                "archive_paths": [],
            }
        )
    )
    arguments = ["--definition", str(place / "definition.json"), "--checkout", str(repository)]
    arguments += ["--diff-base", base, "--out", str(place / "report.json")]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    judge = subprocess.Popen(
        [sys.executable, "-m", "gates", *arguments],
        cwd=place,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(judge.pid, 0)
    judge.returncode = os.waitstatus_to_exitcode(status)
    assert judge.returncode == 0, judge.returncode
    # Linux counts in KiB.
    return used.ru_maxrss / 1024


def main() -> int:
    """Print the table; 1 where a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="*", default=list(BOUNDS))
    asked = parser.parse_args()
    too_slow = False
    for files in asked.files:
        with tempfile.TemporaryDirectory(prefix="headgate-bench-") as folder:
            sha = make_repository(Path(folder, "repository"), files)
            first, _ = measure(Path(folder, "repository"), sha)
            second, gates = measure(Path(folder, "repository"), sha)
            red = first_red(Path(folder, "repository"), sha)
            memory = judge_memory(Path(folder, "repository"), sha)
        middle = sorted(gates)[len(gates) // 2]
        bound = BOUNDS.get(files, max(BOUNDS.values()))
        too_slow |= middle > bound or second > SECOND_ORDER_SECONDS
        too_slow |= red > RED_BOUND or memory > MEMORY_MIB
        sys.stdout.write(
            f"{files:>6} files of setup: ready after {first:.2f} s, the second order after "
            f"{second:.2f} s (at most {SECOND_ORDER_SECONDS} s), a gate that does nothing "
            f"{middle:.3f} s (at most {bound} s), a red one of {RED_SECONDS} s is told after {red:.2f} s "
            f"(at most {RED_BOUND:.1f} s), own gates on {TEST_FILES} files of tests need {memory:.0f} MiB "
            f"(at most {MEMORY_MIB})\n"
        )
    return int(too_slow)


if __name__ == "__main__":
    sys.exit(main())
