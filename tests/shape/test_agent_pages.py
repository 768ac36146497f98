"""The pages of docs/agents: each example is a policy, each version is the one that is tried."""

import json
import re
from pathlib import Path

import pytest

from action.agents.adapters.table import ADAPTERS
from action.order import AgentKind, AgentSettings
from bot.core.spec.policy import Policy, read_policy

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "agents"
PAGES = sorted(FOLDER.glob("*.md"))
GIVEN = "version: 1\ngates: {test: {run: make test}}\n"
_EXAMPLE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INSTALL = re.compile(r"npm install --global (\S+)@(\S+)")


def examples(page: Path) -> list[AgentSettings]:
    read = [read_policy(GIVEN + text) for text in _EXAMPLE.findall(page.read_text())]
    return [policy.agent for policy in read if isinstance(policy, Policy)]


def test_every_kind_but_our_own_has_a_page_with_an_example() -> None:
    shown = {entry.kind for page in PAGES for entry in examples(page)}
    assert shown == set(AgentKind) - {AgentKind.BUILTIN}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_page_names_the_tested_program_and_version(page: Path) -> None:
    tried = json.loads((ROOT / "tests/agents/node/package.json").read_text())["dependencies"]
    text = page.read_text()
    for package, version in _INSTALL.findall(text):
        assert tried[package] == version
        assert f"version {version}" in text
    for entry in examples(page):
        assert ADAPTERS[entry.kind].program in text
