"""A crate of Rust under the policy that is proposed for it: its own main is green, and a red test is seen."""

from pathlib import Path

import pytest

from action.order import AgentOrder
from tests.needs import needs_rust
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec

pytestmark = [pytest.mark.slow, needs_rust]

OFFER = "Begin with Headgate"
CRATE = """\
[package]
name = "shop"
version = "0.1.0"
edition = "2021"

[lints.rust]
unused = "deny"
"""
LOCK = """\
version = 3

[[package]]
name = "shop"
version = "0.1.0"
"""
SUM = """\
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
PROJECT = {
    ".gitignore": "/target/\n",
    "Cargo.lock": LOCK,
    "Cargo.toml": CRATE,
    "rustfmt.toml": "max_width = 100\n",
    "src/lib.rs": SUM.replace(" + 0", " + 1"),
    "tests/whole.rs": "#[test]\nfn nothing_is_free() {\n    assert_eq!(shop::sum(&[]), 0);\n}\n",
}


def test_the_proposed_policy_judges_a_crate_by_its_own_tools(tmp_path: Path) -> None:
    with house(tmp_path, PROJECT, policy=None) as shop:
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
        for line in (
            "cargo fetch --locked",
            "cargo build",
            "cargo clippy --all-targets && cargo fmt --check",
            "cargo test",
        ):
            assert line in policy
        shop.work()

        assert "Did not pass: test (failed)." in "\n".join(shop.comments(tracking))
        assert not [o for o in shop.runner.taken if isinstance(o, AgentOrder)]

        shop.push({"src/lib.rs": SUM.replace(" + 0", "")}, "Begin to sum at nothing")
        shop.work()

        assert "src/till-make-the-till-work.txt" in shop.main_files()
        assert shop.issue(tracking)["state"] == "closed"
