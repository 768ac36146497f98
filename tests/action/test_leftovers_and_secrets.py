"""Tables: which untracked paths are leftovers, and which texts hold a secret."""

import subprocess
from pathlib import Path

import pytest

from action.harness.leftovers import TOLD_MAX, Leftovers, marked_folders, patterns
from gates.secret_rules import secrets_in
from tests.testkit.pace import at_most

# Written in two halves, so that no scanner takes this file for a leak.
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
ANTHROPIC = "sk-ant-" + "api03-abcdefghijklmnopqrstuvwx"
FINE_GRAINED = "github_" + "pat_11ABCDEFG0abcdefghijkl_" + "Ab3" * 19 + "xy"
GOOGLE = "AI" + "zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"
HUGGING = "hf" + "_abcdefghijklmnopqrstuvwxyzABCDEFGH"
DOCKER = "dckr" + "_pat_abcdefghijklmnopqrstuvwxyz0"
OCEAN = "dop" + "_v1_" + "0123456789abcdef" * 4
SHOPIFY = "shp" + "at_" + "0123456789abcdef" * 2
SLACK_APP = "xapp" + "-1-A012BCDEF-1234567890123-" + "0123456789abcdef" * 4
OPENAI = "sk-" + "abcdefghij0123456789" + "T3BlbkFJ" + "abcdefghij0123456789"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("ignores", "path", "expected"),
    [
        ({}, "a/__pycache__/x.py", True),
        ({}, "a.pyo", True),
        ({}, "node_modules/x/y.js", True),
        ({}, ".env", True),
        ({}, ".env.example", False),
        ({}, "build/x.py", False),
        ({}, "env/x.py", False),
        ({".gitignore": "*.log\n!keep.log\n"}, "d/a.log", True),
        ({".gitignore": "*.log\n!keep.log\n"}, "d/keep.log", False),
        ({".gitignore": "!*.pyc\n"}, "a.pyc", False),
        ({"web/.gitignore": "/out\r\n"}, "web/out/x", True),
        ({"web/.gitignore": "/out\n"}, "web/d/out", False),
        ({"web/.gitignore": "/out\n"}, "out", False),
        ({"web/.gitignore": "*.map\n"}, "web/d/e.map", True),
        ({"web/.gitignore": "gen/\n"}, "web/d/gen/e", True),
        ({"web/.gitignore": "a/b\n"}, "web/a/b", True),
        ({"web/.gitignore": "a/b\n"}, "web/d/a/b", False),
        ({"w*b/.gitignore": "x\n"}, "web/x", False),
        ({"w*b/.gitignore": "x\n"}, "w*b/x", True),
        ({".gitignore": "*.map\n", "web/.gitignore": "!*.map\n"}, "web/a.map", False),
        ({"web/.gitignore": "# x\n\n"}, "web/x", False),
    ],
)
def test_git_matches_ignore_patterns_relative_to_their_folders(
    tmp_path: Path, ignores: dict[str, str], path: str, expected: bool
) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    (tmp_path / "patterns").write_text(patterns(ignores))
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--ignored", "--exclude-from=patterns", path],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )

    assert bool(listed.stdout) is expected


def test_leftovers_are_listed_by_their_outermost_folder() -> None:
    left = Leftovers(frozenset({"a/", "a/b/", "c.pyc", "unused/"}))

    assert left.found_in(["a/b/x", "a/y", "c.pyc", "d", "ab/x"]) == ("a/", "c.pyc")
    assert left.covers("a/b/x")
    assert not left.covers("ab/x")


def test_a_nested_repository_in_a_leftover_is_a_part_of_it() -> None:
    assert Leftovers(frozenset({".venv/"})).covers(".venv/src/n/")
    assert not Leftovers(frozenset({".venv/"})).covers("n/")


def test_the_list_of_leftovers_is_limited() -> None:
    names = [f"{number:03}.pyc" for number in range(TOLD_MAX + 5)]

    told = Leftovers(frozenset(names)).found_in(names)

    assert len(told) == TOLD_MAX
    assert told[-1] == "and 6 more"


def test_a_marker_marks_its_folder_but_never_the_root() -> None:
    found = marked_folders(["a/env/pyvenv.cfg", "target/CACHEDIR.TAG", "pyvenv.cfg", "b/x"])
    assert found == {"a/env/", "target/"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"a\nkey = {AWS}\n", "AWS Access Key in line 2"),
        (f"TOKEN={GITHUB}", "GitHub Token in line 1"),
        (f'x = "{ANTHROPIC}"', "Anthropic API Key in line 1"),
        (f'x = "{OPENAI}"', "OpenAI Token in line 1"),
        (f"\n\n{PEM}\nMIIE\n", "Private Key in line 3"),
        ("x" * 5_000 + f" {AWS} " + "y" * 5_000, "AWS Access Key in line 1"),
        ("x" * 990 + f" {GITHUB}", "GitHub Token in line 1"),
        *((f"a {it} b", "Token of a provider in line 1") for it in (FINE_GRAINED, GOOGLE, HUGGING)),
        *((f"a {it} b", "Token of a provider in line 1") for it in (DOCKER, OCEAN, SHOPIFY)),
        (f"a {SLACK_APP} b", "Token of a provider in line 1"),
        ("github_pat_is_a_prefix, hf_hub_download(), ghs_and_gho_too", ""),
        ("password = 'hunter2-but-longer'\n", ""),
        ("sha512-" + "Ab3" * 28 + "==", ""),
        ("3f786850e387550fdab836ed7e6dc881de23001b\n" * 50, ""),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", ""),
        ("https://user:pass@example.org/", ""),
    ],
)
def test_only_keys_that_a_provider_issues_are_secrets(text: str, said: str) -> None:
    assert next((found.sentence for found in secrets_in(text)), "") == said


def test_a_long_line_is_scanned_in_linear_time() -> None:
    with at_most(3):
        assert list(secrets_in("//a/" * 40_000)) == []
