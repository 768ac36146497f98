"""What is measured of tests in Go, JavaScript and Rust, by their own runners."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.core.spec.triage.mentions import Mention
from bot.core.state.coverage import has_passed
from gates.asked import Asked, AskedRequirement
from gates.proof import ProofLevel
from gates.result import Ending, GateDefinition, Judges
from tests.action.fake_server import FakeServer
from tests.action.kit import Harness, Project, gate_order
from tests.action.test_gate_order import commit, gate
from tests.action.test_measure import proving
from tests.contract.foreign import NODE
from tests.needs import needs_go, needs_rust
from tests.scenarios.test_javascript_project import programs

pytestmark = pytest.mark.slow

GO_BEFORE = {
    "go.mod": "module example.com/shop\n\ngo 1.18\n",
    "till/till.go": "package till\n\nfunc Price(count int) int {\n\treturn 5 * count\n}\n",
}
GO_AFTER = """\
package till

const Place = "here"

func Price(count int) int {
	if count > 2 {
		return 4 * count
	}
	return 5 * count
}
"""
GO_NEW = """\
package till

func Total(counts []int) int {
	sum := 0
	// With another number it is not compiled.
	var most uint8 = 9
	_ = most
	for _, count := range counts {
		// The sum of all.
		sum += Price(count)
	}
	return sum + 0
}
"""
GO_TESTS = """\
package till

import "testing"

// REQ-A
func TestChanged(t *testing.T) {
	if got := Price(3); got != 12 {
		t.Errorf("got %d", got)
	}
}

// REQ-C
func TestBefore(t *testing.T) {
	if Price(1) != 5 {
		t.Fatal("it is not five")
	}
}

// REQ-D
func TestElsewhere(t *testing.T) {
	if len("shop") != 4 {
		t.Fatal("it is not four")
	}
}

// REQ-H
func TestPanics(t *testing.T) {
	if Price(4) != 16 {
		panic("no assertion")
	}
	t.Log(Price(4))
	if len("shop") != 4 {
		t.Fatal("it is not four")
	}
}
"""
GO_NEW_TESTS = """\
package till

import "testing"

// REQ-B
func TestNew(t *testing.T) {
	t.Run("sums up", func(t *testing.T) {
		if got := Total([]int{1, 2}); got != 15 {
			t.Errorf("got %d", got)
		}
	})
}

// REQ-E
func TestLooksAway(t *testing.T) {
	Total([]int{1, 2})
	if len("shop") != 4 {
		t.Fatal("it is not four")
	}
}
"""
# What a converter of `go test` writes, in the form of go-junit-report.
JUNIT = '<testsuite><testcase classname="example.com/shop/till" name="TestChanged"/></testsuite>'
GO_LINE = f"go test ./... && echo '{JUNIT}' >$HEADGATE_JUNIT"

MEASURED = {
    "REQ-A": (True, True),
    # New: what it tests is missing on main, so a fault in it says more.
    "REQ-B": (True, True),
    # It runs `if count > 2`, which is new, and passes without it.
    "REQ-C": (True, False),
    "REQ-D": (False, False),
    "REQ-E": (True, False),
    # It fails on main, by no assertion.
    "REQ-H": (True, False),
}


def measured(
    server: FakeServer,
    project: Project,
    harness: Harness,
    line: str,
    before: Mapping[str, str],
    after: Mapping[str, str],
    level: ProofLevel = ProofLevel.L4,
) -> dict[str, tuple[bool | None, bool | None]]:
    base = commit(project, dict(before))
    head = commit(project, dict(after))
    verify = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
    server.order = gate_order(
        server,
        project,
        [verify, gate("test", line)],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=tuple(
            AskedRequirement(id=one, names=(one,), asked=Asked.ADDED) for one in MEASURED
        ),
        measured=level,
    )

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    assert [r.ending for r in report.results] == [Ending.PASSED] * 2, report.results
    return {id_: (t.runs_added, t.fails_without) for id_, t in proving(server).items()}


@needs_go
def test_tests_in_go_are_measured_one_by_one(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    after = {
        "till/till.go": GO_AFTER,
        "till/total.go": GO_NEW,
        "till/till_test.go": GO_TESTS,
        "till/total_test.go": GO_NEW_TESTS,
    }

    assert measured(server, project, harness, GO_LINE, GO_BEFORE, after) == MEASURED


JS_PRICE = "export function price(count) {\n  return 5 * count;\n}\n"
JS_BEFORE = {
    "package.json": '{"name": "shop", "private": true, "type": "module", '
    '"scripts": {"test": "node --test --test-reporter=junit '
    '--test-reporter-destination=$HEADGATE_JUNIT"}}\n',
    "src/till.js": JS_PRICE,
}
JS_AFTER = """\
export const PLACE = "hier, für dich";

export function price(count) {
  if (count > 2) {
    return 4 * count;
  }
  return 5 * count;
}
"""
JS_NEW = """\
import { price } from "./till.js";

export const total = (counts) => {
  // The sum of all.
  return counts.reduce((sum, count) => sum + price(count), 0);
};
"""
JS_TESTS = """\
import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { price } from "../src/till.js";

test("REQ-A: it's 12 (less)", () => assert.equal(price(3), 12));
describe("before", () => {
  it("REQ-C", () => assert.equal(price(1), 5));
  it("REQ-D", () => assert.equal("shop".length, 4));
});
test("REQ-H", () => {
  if (price(4) !== 16) throw new Error("no assertion");
  assert.equal("shop".length, 4);
});
"""
JS_NEW_TESTS = """\
import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("REQ-B", () => assert.equal(total([1, 2]), 15));
test("REQ-E", () => {
  total([1, 2]);
  assert.equal("shop".length, 4);
});
"""


def test_tests_of_node_are_measured_one_by_one_through_npm(
    server: FakeServer,
    project: Project,
    harness: Harness,
    tmp_path: Path,
) -> None:
    path = f"{programs(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}"
    harness.environment |= {"PATH": path, "HEADGATE_SANDBOX_PATHS": str(tmp_path / "bin")}
    after = {
        "src/till.js": JS_AFTER,
        "src/total.js": JS_NEW,
        "test/till.test.js": JS_TESTS,
        "test/total.test.js": JS_NEW_TESTS,
    }
    line = "npm test # $HEADGATE_JUNIT"

    assert measured(server, project, harness, line, JS_BEFORE, after) == MEASURED


PACKAGES = NODE / "node_modules"
ELSEWHERE_IN_JS = {
    "vitest": 'import { expect, test } from "vitest";\n',
    "jest": 'const { expect, test } = require("@jest/globals");\n',
}
LINES = {"vitest": "vitest run", "jest": "jest --ci"}


@pytest.mark.parametrize("runner", ["vitest", "jest"])
def test_tests_of_other_runners_are_measured_by_their_own_coverage(
    server: FakeServer, project: Project, harness: Harness, tmp_path: Path, runner: str
) -> None:
    path = f"{programs(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}"
    shown = f"{tmp_path / 'bin'}{os.pathsep}{PACKAGES}"
    harness.environment |= {"PATH": path, "HEADGATE_SANDBOX_PATHS": shown}
    is_module = runner == "vitest"
    text = JS_AFTER if is_module else JS_AFTER.replace("export ", "")
    imported = (
        'import { price } from "../src/till.js";\n'
        if is_module
        else 'const { price } = require("../src/till.js");\n'
    )
    exported = "" if is_module else "module.exports = { price };\n"
    before = JS_PRICE if is_module else JS_PRICE.replace("export ", "") + exported
    tests = """\
test("REQ-A: it's 12 (less)", () => { expect(price(3)).toBe(12); });
test("REQ-C", () => { expect(price(1)).toBe(5); });
test.each([3, 4])("REQ-D of %i", (count) => { expect(count).toBeGreaterThan(2); });
test("REQ-H", () => {
  if (price(4) !== 16) throw new Error("no matter");
  expect("shop".length).toBe(4);
});
"""
    line = (
        f"ln -s {PACKAGES} node_modules && node_modules/.bin/{LINES[runner]} && "
        "echo '<testsuite><testcase name=\"REQ-C\"/></testsuite>' >$HEADGATE_JUNIT"
    )

    seen = measured(
        server,
        project,
        harness,
        line,
        {"package.json": '{"type": "%s"}\n' % ("module" if is_module else "commonjs")}
        | {"src/till.js": before},
        {"src/till.js": text + exported}
        | {"test/till.test.js": ELSEWHERE_IN_JS[runner] + imported + tests},
    )

    assert seen == {name: MEASURED[name] for name in ["REQ-A", "REQ-C", "REQ-D", "REQ-H"]}


GO_POLLUTED = """\
package till

import "testing"

var seen []int

func TestFirst(t *testing.T) { seen = append(seen, 1) }

func TestSecond(t *testing.T) {
	t.Run("is the first", func(t *testing.T) {
		if len(seen) > 0 {
			t.Fatal("it is not")
		}
	})
}

func TestThird(t *testing.T) {
	if Price(1) != 6 {
		t.Fatal("it is not six")
	}
}
"""
# What go-junit-report makes of it.
GO_RED = "".join(
    f'<testcase classname="example.com/shop/till" name="{name}"><failure/></testcase>'
    for name in ("TestSecond", "TestSecond/is_the_first", "TestThird")
)
JS_POLLUTED = """\
const seen = [];
test("first", () => { seen.push(1); });
describe("the second", () => {
  test("is (the) first", () => equal(seen.length, 0));
});
test("third", () => equal(price(1), 6));
"""
# What jest-junit makes of it.
JEST_RED = "".join(
    f'<testcase classname="{name}" name="{name}"><failure/></testcase>'
    for name in ("the second is (the) first", "third")
)
RUST = {
    ".gitignore": "/target/\n",
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    # As cargo-nextest names tests.
    "ci/junit.sh": "cargo test >log 2>&1 || code=$?\ncat log\n"
    "{ echo '<testsuite>'; sed -n "
    '-e \'s|^test \\(.*\\) \\.\\.\\. ok$|<testcase classname="shop" name="\\1"/>|p\' '
    '-e \'s|^test \\(.*\\) \\.\\.\\. FAILED$|<testcase classname="shop" name="\\1"><failure/></testcase>|p\' '
    "log; echo '</testsuite>'; } >$HEADGATE_JUNIT\nexit ${code:-0}\n",
}
RUST_POLLUTED = """\
#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    static SEEN: AtomicU32 = AtomicU32::new(0);

    #[test]
    fn first() {
        SEEN.fetch_add(1, Ordering::SeqCst);
    }

    #[test]
    fn second() {
        std::thread::sleep(std::time::Duration::from_millis(200));
        assert_eq!(SEEN.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn third() {
        assert_eq!(5, 6);
    }
}
"""
RED_LINES = {
    "rust": "sh ci/junit.sh",
    "go": f"code=0; go test ./... || code=$?; echo '<testsuite>{GO_RED}</testsuite>' >$HEADGATE_JUNIT; exit $code",
    "node": "npm test # $HEADGATE_JUNIT",
    "vitest": f"ln -s {PACKAGES} node_modules && "
    "node_modules/.bin/vitest run --reporter=junit --outputFile=$HEADGATE_JUNIT",
    "jest": f"ln -s {PACKAGES} node_modules; code=0; node_modules/.bin/jest --ci || code=$?; "
    f"echo '<testsuite>{JEST_RED}</testsuite>' >$HEADGATE_JUNIT; exit $code",
}
MODULES = {
    "node": 'import { equal } from "node:assert/strict";\n'
    'import { describe, test } from "node:test";\n'
    'import { price } from "../src/till.js";\n',
    "vitest": 'import { describe, expect, test } from "vitest";\n'
    'import { price } from "../src/till.js";\n'
    "const equal = (one, other) => expect(one).toBe(other);\n",
    "jest": "const price = (count) => 5 * count;\n"
    "const equal = (one, other) => expect(one).toBe(other);\n",
}


@pytest.mark.parametrize(
    ("runner", "alone"),
    [
        pytest.param(
            "go",
            (
                "example.com/shop/till.TestSecond",
                "example.com/shop/till.TestSecond/is_the_first",
            ),
            marks=needs_go,
        ),
        pytest.param("rust", ("shop.tests::second",), marks=needs_rust),
        ("node", ("test/till.test.js::is (the) first",)),
        ("vitest", ("test/till.test.js.the second > is (the) first",)),
        ("jest", ("the second is (the) first.the second is (the) first",)),
    ],
)
def test_red_tests_of_other_runners_run_again_alone(
    server: FakeServer,
    project: Project,
    harness: Harness,
    tmp_path: Path,
    runner: str,
    alone: tuple[str, ...],
) -> None:
    path = f"{programs(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}"
    shown = f"{tmp_path / 'bin'}{os.pathsep}{PACKAGES}"
    harness.environment |= {"PATH": path, "HEADGATE_SANDBOX_PATHS": shown}
    if runner == "go":
        files = {**GO_BEFORE, "till/till_test.go": GO_POLLUTED}
    elif runner == "rust":
        files = {**RUST, "src/lib.rs": RUST_POLLUTED}
    else:
        # Tests in Go, too, which this line does not run.
        files = {
            **JS_BEFORE,
            "desk/desk_test.go": "package desk\n",
            "test/till.test.js": MODULES[runner] + JS_POLLUTED,
        }
    head = commit(project, files)
    gates = [gate("test", RED_LINES[runner], junit="$HEADGATE_JUNIT")]
    server.order = gate_order(server, project, gates, candidate_sha=head)

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    (result,) = report.results
    assert result.ending is Ending.FAILED
    assert len(result.failed_tests) == len(alone) + 1, result
    assert result.passed_alone == alone


RUST_TESTS = """\
pub fn price(count: u32) -> u32 {
    5 * count
}

#[cfg(test)]
mod tests {
    /// REQ-A
    #[test]
    fn five_each() {
        assert_eq!(super::price(2), 10);
    }

    /// REQ-B
    #[test]
    fn six_each() {
        assert_eq!(super::price(2), %s);
    }
}
"""


RUST_MEASURED = {
    **RUST,
    "src/lib.rs": "pub fn price(count: u32) -> u32 {\n    5 * count\n}\n\n#[cfg(test)]\nmod tests {\n"
    "    #[test]\n    fn old() {\n        assert_eq!(super::price(2), 10);\n    }\n}\n",
}
RUST_LIB = """\
pub mod total;

pub fn price(count: u32) -> u32 {
    if count > 2 {
        return 4 * count;
    }
    5 * count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twelve() -> u32 {
        10 + 2
    }

    /// REQ-A
    #[test]
    fn changed() {
        assert!(price(3) == twelve(), "it is another");
    }

    /// REQ-C
    #[test]
    fn before() {
        assert_eq!(price(1), 5);
    }

    /// REQ-D
    #[test]
    fn elsewhere() {
        assert_eq!("shop".len(), twelve() as usize - 8);
    }

    /// REQ-H
    #[test]
    fn panics() {
        if price(4) != 16 {
            panic!("no assertion");
        }
        assert_eq!("shop".len(), 4);
    }
}
"""
RUST_TOTAL = """\
use crate::price;

pub fn total(counts: &[u32]) -> u32 {
    // With another number it is not compiled.
    let most: [u8; 2] = [9, 9];
    let _: [u8; 2] = most;
    counts.iter().map(|&count| price(count)).sum::<u32>() + 0
}

#[cfg(test)]
mod tests {
    fn four() -> usize {
        2 + 2
    }

    /// REQ-E
    #[test]
    fn looks_away() {
        super::total(&[1, 2]);
        assert_eq!("shop".len(), four());
    }
}
"""
RUST_WHOLE = """\
use shop::total::total;

/// REQ-B
#[test]
fn sums_up() {
    assert_eq!(total(&[1, 2]), 15);
}
"""


@needs_rust
def test_rust_tests_are_measured_by_the_faults_they_detect(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    after = {"src/lib.rs": RUST_LIB, "src/total.rs": RUST_TOTAL, "tests/whole.rs": RUST_WHOLE}
    line = "sh ci/junit.sh # $HEADGATE_JUNIT"

    assert measured(server, project, harness, line, RUST_MEASURED, after) == {
        "REQ-A": (True, True),
        "REQ-B": (True, True),
        # Which lines a test runs that notices nothing nobody sees.
        "REQ-C": (None, False),
        "REQ-D": (None, False),
        "REQ-E": (None, False),
        "REQ-H": (None, False),
    }


@needs_rust
@pytest.mark.parametrize(("expected", "passed"), [("10", True), ("12", False)])
def test_a_rust_test_that_passed_in_cargo_proves_its_requirement(
    server: FakeServer, project: Project, harness: Harness, expected: str, *, passed: bool
) -> None:
    base = commit(project, RUST)
    head = commit(project, {"src/lib.rs": RUST_TESTS % expected})
    verify = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
    tests = GateDefinition(name="tests", judges=Judges.CHANGE, builtin="tests")
    line = gate("test", "sh ci/junit.sh", junit="$HEADGATE_JUNIT")
    server.order = gate_order(
        server,
        project,
        [verify, tests, line],
        candidate_sha=head,
        diff_base_sha=base,
        requirements=tuple(
            AskedRequirement(id=one, names=(one,), asked=Asked.ADDED) for one in ("REQ-A", "REQ-B")
        ),
    )

    harness.run("gates")

    report = server.gate_report.report
    assert report is not None, server.gate_report.sentence
    ends = {result.gate: result.ending for result in report.results}
    assert ends["tests"] is Ending.PASSED
    assert ends["test"] is (Ending.PASSED if passed else Ending.FAILED)
    names = report.results[2].passed_tests
    ran = {
        id_: has_passed(Mention(written=id_, path=test.path, line=1, test=test.name), names)
        for id_, test in proving(server).items()
    }
    assert ran == {"REQ-A": True, "REQ-B": passed}
