"""A project of each kind under the policy that is proposed for it: a red main is seen, and a green one takes changes.

Each has its real tools. All but the crate are set up and judged behind the walls.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from action.order import AgentOrder
from tests.cheats.stage import walled
from tests.needs import needs_bubblewrap, needs_go, needs_rust
from tests.testkit.house import House, house
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec
from tests.testkit.wheels import wheels

pytestmark = pytest.mark.slow

OFFER = "Set up Headgate"
CRATE = """\
[package]
name = "shop"
version = "0.1.0"
edition = "2021"

[lints.rust]
unused = "deny"
"""
CARGO_LOCK = """\
version = 3

[[package]]
name = "shop"
version = "0.1.0"
"""
IN_RUST = """\
//! Sums of prices.

/// The sum of all prices.
///
/// ```
/// assert_eq!(shop::sum(&[1, 2]), 3);
/// ```
pub fn sum(prices: &[u32]) -> u32 {
    prices.iter().sum::<u32>() + 0
}

#[cfg(test)]
mod tests {
    #[test]
    fn sums_up() {
        assert_eq!(super::sum(&[1, 2]), 3);
    }
}
"""
IN_PYTHON = '''\
"""Sums of prices."""


def sum_of(prices):
    return sum(prices) + 0
'''
IN_GO = """\
package shop

// Sum is the sum of all prices.
func Sum(prices []int) int {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	return sum + 0
}
"""
IN_SHELL = "sum() {\n    echo $(($1 + $2 + 0))\n}\n"
MAKEFILE = """\
build: shop.sh
	sh -n shop.sh
test:
	sh tests/run.sh
"""


@dataclass(frozen=True)
class Kind:
    """`source` sums up, once its `+ 0` is not `+ 1`; `proposed` are lines of the policy."""

    name: str
    source: str
    files: Mapping[str, str]
    proposed: tuple[str, ...]
    runs_walled: bool = True
    # Packages whose wheels lie in the project: tests have no registry.
    brings: tuple[str, ...] = ()
    # What an agent adds, besides a file of text: its policy asks for proof.
    proof: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


RUST = Kind(
    "rust",
    "src/lib.rs",
    {
        ".gitignore": "/target/\n",
        "Cargo.lock": CARGO_LOCK,
        "Cargo.toml": CRATE,
        "rustfmt.toml": "max_width = 100\n",
        "src/lib.rs": IN_RUST,
        "tests/whole.rs": "#[test]\nfn nothing_is_free() {\n    assert_eq!(shop::sum(&[]), 0);\n}\n",
    },
    (
        "cargo fetch --locked",
        "index.crates.io",
        "cargo build",
        "cargo clippy --all-targets && cargo fmt --check",
        "cargo test",
    ),
    # Its tools may lie in a home folder, which the walls do not show.
    runs_walled=False,
)
PYTHON = Kind(
    "python",
    "shop.py",
    {
        ".gitignore": ".venv/\n__pycache__/\n",
        "requirements.txt": "--no-index\n--find-links wheels\npluggy\n",
        "ruff.toml": "line-length = 100\n",
        "shop.py": IN_PYTHON,
        "tests/test_shop.py": "from shop import sum_of\n\n\ndef test_sums_up():\n    assert sum_of([1, 2]) == 3\n",
        "tests/conftest.py": "import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parents[1]))\n",
    },
    (
        "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt pytest ruff",
        "pypi.org",
        ".venv/bin/python -m compileall -q . -x '[.]venv'",
        ".venv/bin/python -m ruff check .",
        ".venv/bin/python -m pytest -q --junitxml=$HEADGATE_JUNIT",
        "builtin: spec_verify",
        "builtin: base_tests",
    ),
    brings=("pytest", "pluggy", "iniconfig", "packaging", "pygments", "ruff"),
    proof={
        "till.py": "def open_till():\n    return True\n",
        "tests/test_till.py": (
            "from till import open_till\n\n\ndef test_opens():\n"
            '    """REQ-TILL-01"""\n    assert open_till()\n'
        ),
    },
)
GO = Kind(
    "go",
    "shop.go",
    {
        "go.mod": "module example.com/shop\n\ngo 1.18\n",
        "shop.go": IN_GO,
        "shop_test.go": (
            'package shop\n\nimport "testing"\n\nfunc TestSumsUp(t *testing.T) {\n'
            '\tif got := Sum([]int{1, 2}); got != 3 {\n\t\tt.Fatalf("got %d", got)\n\t}\n}\n'
        ),
    },
    ("go build ./...", "go vet ./...", "go test ./..."),
)
GENERIC = Kind(
    "generic",
    "shop.sh",
    {
        "Makefile": MAKEFILE,
        "shop.sh": IN_SHELL,
        "tests/run.sh": '. ./shop.sh\ntest "$(sum 1 2)" = 3\n',
    },
    ("make build", "make test"),
)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(RUST, marks=needs_rust),
        pytest.param(GO, marks=[needs_bubblewrap, needs_go]),
        pytest.param(GENERIC, marks=needs_bubblewrap),
    ],
    ids=str,
)
def test_the_proposed_policy_judges_a_project_by_its_own_tools(kind: Kind, tmp_path: Path) -> None:
    with _approved(kind, _red(kind), tmp_path) as (shop, tracking):
        _must_be_seen_as_red(shop, tracking)

        shop.push({kind.source: kind.files[kind.source]}, "Begin to sum at nothing")
        shop.work()

        _must_have_landed(kind, shop, tracking)


# Each set-up of Python takes three seconds of a processor: the story is told in two parts.
@needs_bubblewrap
def test_the_proposed_policy_sees_that_a_project_in_python_is_red(tmp_path: Path) -> None:
    with _approved(PYTHON, _red(PYTHON), tmp_path) as (shop, tracking):
        _must_be_seen_as_red(shop, tracking)


@needs_bubblewrap
def test_the_proposed_policy_lands_a_change_of_a_project_in_python(tmp_path: Path) -> None:
    with _approved(PYTHON, PYTHON.files[PYTHON.source], tmp_path) as (shop, tracking):
        _must_have_landed(PYTHON, shop, tracking)


def _red(kind: Kind) -> str:
    return kind.files[kind.source].replace("+ 0", "+ 1")


@contextlib.contextmanager
def _approved(kind: Kind, source: str, folder: Path) -> Iterator[tuple[House, int]]:
    """With the proposed policy on main, and a plan that is approved; what can be done is done."""
    brought = {f"wheels/{name}": wheel for name, wheel in wheels(*kind.brings).items()}
    project: dict[str, str | bytes] = {**kind.files, kind.source: source, **brought}
    with contextlib.ExitStack() as stack:
        shop = stack.enter_context(house(folder, project, policy=None))
        if kind.runs_walled:
            stack.enter_context(walled(shop))

        def work(order: AgentOrder, tree: Path) -> None:
            writes_a_file(order, tree)
            for path, text in kind.proof.items():
                (tree / path).write_text(text)

        shop.runner.agent = work
        shop.forward(seconds=10)
        shop.push({"specs/shop.md": spec(requirement("TILL"))}, "Ask for a till")
        shop.settle()
        shop.forward(seconds=10)
        shop.sweep()
        tracking = int(shop.tracking()["number"])
        shop.ask(tracking, "/headgate approve")
        offer = shop.pull(OFFER)
        assert shop.api("PUT", shop.repo(f"/pulls/{offer['number']}/merge"), {}).status_code == 200
        shop.settle()
        policy = shop.main_files()[".github/headgate.yml"]
        for line in kind.proposed:
            assert line in policy
        shop.work()
        yield shop, tracking


def _must_be_seen_as_red(shop: House, tracking: int) -> None:
    said = "\n".join(shop.comments(tracking))
    assert "Did not pass: test (failed)." in said, said
    assert not [o for o in shop.runner.taken if isinstance(o, AgentOrder)]


def _must_have_landed(kind: Kind, shop: House, tracking: int) -> None:
    assert "src/till-make-the-till-work.txt" in shop.main_files()
    assert kind.proof.keys() <= shop.main_files().keys()
    assert shop.issue(tracking)["state"] == "closed"
