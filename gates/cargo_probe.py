"""Runs the tests of one program that `cargo test` has built, each by itself, in place of that program.

Cargo starts it as the runner of the target, with the program and its arguments. The plan is the JSON file
that `HEADGATE_PROBE` names: `root` (the checkout), `out` (a folder) and `select` (names of tests, or null
for all). No lines are seen: coverage of Rust needs tools that a toolchain does not bring.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

_LISTED = re.compile(r"^(.+): test$", re.MULTILINE)
_RESULT = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)", re.MULTILINE)
_OUTCOMES = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
_PANICKED = "panicked at "
_PANIC_PLACE = re.compile(r"(.+):(\d{1,9}):(\d{1,9}):")
# Before Rust 1.73: the words in quotes, of one line or more, and then the place.
_PANICKED_OLD = "panicked at '"
_PLACE = re.compile(r"([^\n:]+):(\d+):(\d+)")
_DID_NOT_PANIC = "note: test did not panic as expected"
# Files that have their folder's name, or their crate's.
_UNNAMED = frozenset({"lib", "main", "mod"})
# Where a crate's own sources begin, from the folder of its manifest.
_TOPS = frozenset({"src", "tests", "benches", "examples", "bin"})
_LISTS_SECONDS = 60


class Program:
    def __init__(self, plan: dict[str, Any], program: str, arguments: list[str]) -> None:
        self.root = Path(plan["root"]).resolve()
        self.out = Path(plan["out"])
        self.select = None if plan["select"] is None else frozenset(plan["select"])
        self.program = program
        self.arguments = arguments
        self.crate = re.sub(r"-[0-9a-f]{16}$", "", Path(program).name).replace("-", "_")
        self.package = os.environ.get("CARGO_PKG_NAME", "").replace("-", "_")

    def run(self) -> None:
        sources = self._sources()
        tests: list[dict[str, Any]] = []
        for name in self._tests():
            path = _file_of(name, sources)
            function = name.rpartition("::")[2]
            names = [f"{path}::{function}", f"{path}::{name}", f"{self.crate}.{name}"]
            reported = [one for one in self.select or () if self._is_reported_as(one, name)]
            names += [one for one in reported if one not in names]
            if self.select is not None and self.select.isdisjoint(names):
                continue
            code, output = self._run_one(name)
            said = {found[1]: found[2] for found in _RESULT.finditer(output)}
            outcome = _OUTCOMES.get(said.get(name, ""), "passed" if code == 0 else "failed")
            asserted = outcome == "failed" and self._asserted(output)
            tests.append({"names": names, "outcome": outcome, "asserted": asserted, "lines": []})
        collected = [test["names"][1] for test in tests]
        if tests:
            place = self.out / f"probe-{os.getpid()}.json"
            seen = {"collected": collected, "tests": tests, "countable": 0}
            place.write_text(json.dumps(seen), encoding="utf-8")

    def _tests(self) -> Iterator[str]:
        """The one that is asked for by its exact name, or all of the program."""
        named = [one for one in self.arguments if not one.startswith("-")]
        listed = subprocess.run(
            [self.program, "--list", "--format", "terse"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LISTS_SECONDS,
            check=False,
        )
        for name in _LISTED.findall(listed.stdout.decode("utf-8", "replace")):
            if "--exact" not in self.arguments or name in named:
                yield name

    def _run_one(self, name: str) -> tuple[int, str]:
        done = subprocess.run(
            [self.program, name, "--exact"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        sys.stdout.write(output)
        return done.returncode, output

    def _asserted(self, output: str) -> bool:
        """Whether an assertion of a test failed: all panics end alike."""
        if _DID_NOT_PANIC in output:
            return True
        panic = _panic(output)
        if panic is None:
            return False
        words, path, row, column = panic
        if words.startswith("assertion"):
            return True
        # One with words of its own says only these.
        line = _line_of(self.root / path, row)
        return line[column - 1 :].startswith(("assert!", "assert_eq!", "assert_ne!"))

    def _is_reported_as(self, name: str, test: str) -> bool:
        """Whether a name in JUnit XML is a test's: cargo-nextest puts crate and target before it."""
        head, dot, inner = name.rpartition(".")
        target = re.split(r"::|/", head)[-1].replace("-", "_")
        return inner == test and (not dot or target in (self.crate, self.package))

    def _sources(self) -> dict[str, str]:
        """The files of the checkout that the program is made of, as rustc has written them down."""
        told = Path(f"{self.program}.d")
        text = told.read_text(encoding="utf-8", errors="replace")
        named = [line[:-1] for line in text.splitlines() if line.endswith(".rs:")]
        found = {}
        for one in named:
            file = (self.root / one.replace("\\ ", " ")).resolve()
            if file.is_relative_to(self.root) and file.is_file():
                path = file.relative_to(self.root).as_posix()
                found[path] = file.read_text(encoding="utf-8", errors="replace")
        return found


def _file_of(test: str, sources: dict[str, str]) -> str:
    """The file that holds a test: of those with such a function the one with most of its modules."""
    *modules, function = test.split("::")
    defined = re.compile(rf"\bfn\s+{re.escape(function)}\b")
    fitting = [
        (len(inside), path)
        for path, text in sources.items()
        if defined.search(text)
        and modules[: len(inside := modules_of(path, sources))] == list(inside)
    ]
    return max(fitting)[1] if fitting else ""


def modules_of(path: str, sources: dict[str, str]) -> tuple[str, ...]:
    """The modules that a file stands for: `a::b` for `src/a/b.rs`; none for that of the crate."""
    if len(sources) == 1:
        return ()
    parts = path.removesuffix(".rs").split("/")
    tops = [at for at, part in enumerate(parts[:-1]) if part in _TOPS]
    inside = parts[tops[-1] + 1 :] if tops else parts[-1:]
    return tuple(inside[:-1] if inside[-1] in _UNNAMED else inside)


def _panic(output: str) -> tuple[str, str, int, int] | None:
    """What the first panic says, and where: file, line and column."""
    for line, message in pairwise(output.split("\n")):
        if found := _PANIC_PLACE.fullmatch(line.partition(_PANICKED)[2]):
            return message, found[1], int(found[2]), int(found[3])
    _, is_old, said = output.partition(_PANICKED_OLD)
    for line in said.splitlines() if is_old else ():
        if place := _PLACE.fullmatch(line.rpartition("', ")[2]):
            return said, place[1], int(place[2]), int(place[3])
    return None


def _line_of(path: Path, number: int) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    return lines[number - 1] if 0 < number <= len(lines) else ""


def main(program: str, arguments: list[str]) -> None:
    """An example of documentation has no list of sources beside it, and is no test that has a name here.

    It ends well whatever failed: after a program with a red test Cargo would start no other.
    """
    plan = json.loads(Path(os.environ["HEADGATE_PROBE"]).read_text(encoding="utf-8"))
    if "--list" in arguments or (plan["select"] is None and not Path(f"{program}.d").is_file()):
        os.execv(program, [program, *arguments])  # noqa: S606
    if Path(f"{program}.d").is_file():
        Program(plan, program, arguments).run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
