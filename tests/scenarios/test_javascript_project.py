"""A JavaScript project whose tests were already red: no change is blamed for them."""

import os
from pathlib import Path

import pytest

from action.order import AgentOrder
from tests.contract.foreign import NODE_PROGRAM
from tests.testkit.house import house
from tests.testkit.specs import requirement, spec

OFFER = "Set up Headgate"
PACKAGE = """\
{"name": "shop", "version": "1.0.0", "private": true, "scripts": {"test": "node --test"}}
"""
SUM = "export const sum = (prices) => prices.reduce((a, b) => a + b, {start});\n"
TEST = """\
import assert from "node:assert";
import test from "node:test";
import { sum } from "../src/sum.mjs";

test("it sums up", () => assert.equal(sum([1, 2]), 3));
"""
PROJECT = {
    "package.json": PACKAGE,
    "src/sum.mjs": SUM.replace("{start}", "1"),
    "test/sum.test.mjs": TEST,
}


def programs(folder: Path) -> Path:
    """`node` and `npm`; the wheel's own `npm` does not find its library."""
    npm = Path(NODE_PROGRAM).parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
    folder.mkdir()
    for name, line in (("node", NODE_PROGRAM), ("npm", f"{NODE_PROGRAM} {npm}")):
        (folder / name).write_text(f'#!/bin/sh\nexec {line} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def test_a_gate_that_is_red_on_main_costs_no_agent_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{programs(tmp_path / 'bin')}{os.pathsep}{os.environ['PATH']}")
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
        assert "npm run test" in shop.main_files()[".github/headgate.yml"]
        shop.work()

        said = "\n".join(shop.comments(tracking))
        assert "Did not pass: test (failed)." in said
        assert "It was there before Headgate's first change." in said
        assert "fix main" in shop.body(tracking)
        assert not [o for o in shop.runner.taken if isinstance(o, AgentOrder)]

        shop.push({"src/sum.mjs": SUM.replace("{start}", "0")}, "Begin to sum at nothing")
        shop.work()

        agents = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
        assert [o.attempt for o in agents] == [1]
        assert "src/till-make-the-till-work.txt" in shop.main_files()
        assert shop.issue(tracking)["state"] == "closed"
