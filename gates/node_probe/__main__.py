"""Stands in the place of `node` on PATH, and asks its test runners for more than the line does.

Known are `node --test`, vitest and jest; every other program runs as it would. The plan is the JSON file that `HEADGATE_PROBE` names: `root` (the checkout), `out` (a folder),
`select` (tests as `path::suite::name`, or `are_reported`) and `lines` (lines to look for, by path).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gates.node_probe.coverage import istanbul_lines, v8_lines

_REPORTER = Path(__file__).with_name("reporter.mjs")
# More tests than these are measured together, those of a file at once.
_ALONE_MAX = 8
# What a person wrote as a name may be filled in: `%s`, `$name`, `${name}`.
_FILLED = re.compile(r"\\?\$\\?\{.*?\\?\}|\\?\$[\w.\\]+|%[a-zA-Z#%]")
_ESCAPED = re.compile(r"\\(['\"`\\])")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ASSERTED = re.compile(r"^(?:Error: )?(?:AssertionError|expect|assert\b)|AssertionError")
_COVERAGE = ("@vitest/coverage-v8", "@vitest/coverage-istanbul")
_VALUED = ("--reporter", "--outputFile", "--test-reporter", "--test-reporter-destination")


class Selected:
    """A test as its file names it."""

    def __init__(self, name: str) -> None:
        self.id = name
        path, *titles = re.sub(r" #\d+$", "", name).split("::")
        self.path = path
        self._titles = [_pattern(title) for title in titles]
        self.pattern = f"(^| ){self._titles[-1]}$" if titles else "$^"

    def is_it(self, path: str, titles: list[str]) -> bool:
        return (
            path == self.path
            and len(titles) == len(self._titles)
            and all(re.fullmatch(p, t, re.S) for p, t in zip(self._titles, titles, strict=True))
        )


class Reported:
    """A test as `node --test`, vitest or jest-junit name it in JUnit XML."""

    path = ""

    def __init__(self, name: str) -> None:
        self.id = name
        titles = [name.removeprefix("test.")]
        in_file = re.match(r"[^:]*?\.[cm]?[jt]sx?(?:\.|::)(.*)", name)
        if in_file:
            titles.append(in_file[1].split(" > ")[-1])
        half = len(name) // 2
        if name[:half] == name[half + 1 :]:
            titles.append(name[:half])
        self.pattern = "|".join(f"(^| ){_literal(title)}$" for title in titles)

    def is_it(self, path: str, titles: list[str]) -> bool:
        said = [title.replace("\n", " ").strip() for title in titles]
        below, whole = " > ".join(said), " ".join(said)
        return self.id in (
            *(f"{path}::{said[-1]}", f"test.{said[-1]}"),
            *(f"{path}.{below}", f"{path}::{below}"),
            f"{whole}.{whole}",
        )


def _pattern(title: str) -> str:
    plain = _ESCAPED.sub(r"\1", title)
    parts = _FILLED.split(plain)
    return ".*".join(_literal(part) for part in parts)


def _literal(text: str) -> str:
    """For Python and JavaScript alike."""
    return re.sub(r"([\\^$.*+?()[\]{}|/])", r"\\\1", text)


class Runner:
    def __init__(self, plan: dict[str, Any], node: str, arguments: list[str]) -> None:
        self.root = Path(plan["root"]).resolve()
        self.out = Path(plan["out"])
        kind = Reported if plan["are_reported"] else Selected
        self.selected: list[Selected | Reported] = [kind(name) for name in plan["select"] or ()]
        self.lines = {path: frozenset(numbers) for path, numbers in plan["lines"].items()}
        self.node = node
        self.arguments = arguments
        self.number = 0

    def run(self, kind: str) -> int:
        worst = 0
        tests: list[dict[str, Any]] = []
        countable = 0
        for together in self._units():
            self.number += 1
            place = self.out / f"node-{os.getpid()}-{self.number}"
            place.mkdir()
            code, reported = self._run(kind, place, together)
            worst = max(worst, code)
            read = v8_lines if kind == "node" else istanbul_lines
            ran, can = read(place, self.root, self.lines) if self.lines else (set(), set())
            countable = max(countable, len(can))
            for path, titles, outcome, asserted in reported:
                mine = [one.id for one in together if one.is_it(path, titles)]
                if mine:
                    name = "::".join((path, *titles))
                    names = [*mine, name, name]
                    tests.append(
                        {
                            "names": names,
                            "outcome": outcome,
                            "asserted": asserted,
                            "lines": sorted(ran),
                        }
                    )
            shutil.rmtree(place, ignore_errors=True)
        seen = {
            "collected": [test["names"][1] for test in tests],
            "tests": tests,
            "countable": countable,
        }
        (self.out / f"probe-{os.getpid()}.json").write_text(json.dumps(seen), encoding="utf-8")
        return worst

    def _units(self) -> list[list[Selected | Reported]]:
        if not self.lines:
            return [self.selected]
        if len(self.selected) <= _ALONE_MAX:
            return [[one] for one in self.selected]
        files = sorted({one.path for one in self.selected})
        return [[one for one in self.selected if one.path == file] for file in files]

    def _run(
        self, kind: str, place: Path, together: list[Selected | Reported]
    ) -> tuple[int, list[tuple[str, list[str], str, bool]]]:
        environment = dict(os.environ)
        patterns = [one.pattern for one in together]
        if kind == "node":
            line = self._node_line(place, patterns)
            if self.lines:
                environment["NODE_V8_COVERAGE"] = str(place / "v8")
        else:
            line = [*_without(self.arguments, _VALUED), *self._options(kind, place, patterns)]
        done = subprocess.run([self.node, *line], env=environment, check=False)
        read = self._read_events if kind == "node" else self._read_json
        return done.returncode, list(read(place))

    def _node_line(self, place: Path, patterns: list[str]) -> list[str]:
        at = self.arguments.index("--test")
        before = _without(self.arguments[:at], _VALUED)
        after = _without(self.arguments[at:], _VALUED)
        named = [f"--test-name-pattern=/{pattern}/s" for pattern in patterns]
        ours = [
            f"--test-reporter={_REPORTER.as_uri()}",
            f"--test-reporter-destination={place / 'events'}",
        ]
        return [*before, *ours, *named, *after]

    def _options(self, kind: str, place: Path, patterns: list[str]) -> list[str]:
        named = ["-t", f"(?:{'|'.join(patterns)})"]
        if kind == "jest":
            covered = [
                "--coverage",
                "--coverageReporters=json",
                f"--coverageDirectory={place}",
                "--coverageThreshold={}",
            ]
            is_covered = bool(self.lines)
            json_form = ["--json", f"--outputFile={place / 'report.json'}"]
        else:
            covered = [
                "--coverage.enabled",
                "--coverage.reporter=json",
                "--coverage.reportOnFailure",
                f"--coverage.reportsDirectory={place}",
            ]
            is_covered = bool(self.lines) and _has_coverage()
            json_form = ["--reporter=json", f"--outputFile={place / 'report.json'}"]
        return [*json_form, *(covered if is_covered else []), *named]

    def _read_events(self, place: Path) -> Iterator[tuple[str, list[str], str, bool]]:
        for line in _text(place / "events").splitlines():
            one = json.loads(line)
            yield self._below(one["file"]), one["titles"], one["outcome"], one["asserted"]

    def _read_json(self, place: Path) -> Iterator[tuple[str, list[str], str, bool]]:
        known = json.loads(_text(place / "report.json") or "{}")
        for file in known.get("testResults", ()):
            path = self._below(file["name"])
            for one in file.get("assertionResults", ()):
                outcome = one["status"] if one["status"] in ("passed", "failed") else "skipped"
                said = [_COLOUR.sub("", text) for text in one.get("failureMessages") or ()]
                asserted = bool(said) and all(_ASSERTED.search(text) for text in said)
                yield path, [*one["ancestorTitles"], one["title"]], outcome, asserted

    def _below(self, path: str | None) -> str:
        return os.path.relpath(os.path.realpath(path), self.root) if path else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _without(arguments: list[str], options: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    skip = False
    for one in arguments:
        if skip:
            skip = False
        elif one in options:
            skip = True
        elif not one.startswith(tuple(f"{option}{sign}" for option in options for sign in "=.")):
            kept.append(one)
    return kept


def _has_coverage() -> bool:
    folders = [Path.cwd(), *Path.cwd().parents]
    return any((at / "node_modules" / name).is_dir() for at in folders for name in _COVERAGE)


def kind_of(arguments: list[str]) -> str:
    """Which runner of tests a call of `node` starts; empty for another program."""
    options = []
    for one in arguments:
        if not one.startswith("-"):
            break
        options.append(one)
    if "--test" in options:
        return "node"
    script = arguments[len(options)] if len(options) < len(arguments) else ""
    found = re.search(r"(?:^|/)(vitest|jest)(?:\.m?js)?$", script)
    return found[1] if found else ""


def _node() -> str:
    own = os.environ["HEADGATE_NODE_PLACE"]
    paths = [path for path in os.environ["PATH"].split(os.pathsep) if path != own]
    return shutil.which("node", path=os.pathsep.join(paths)) or "node"


if __name__ == "__main__":
    given = sys.argv[1:]
    found = kind_of(given)
    if not found:
        os.execv(_node(), [_node(), *given])  # noqa: S606
    asked = json.loads(Path(os.environ["HEADGATE_PROBE"]).read_text(encoding="utf-8"))
    sys.exit(Runner(asked, _node(), given).run(found))
