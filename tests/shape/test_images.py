"""Images and actions of others are named by digest or commit in every file."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# GitHub gives no job to a runner that is a month behind, and our own image is built beside it.
BY_NAME = {"${RUNNER_IMAGE}", "${HEADGATE_IMAGE:-headgate}"}
_DIGEST = re.compile(r".+:[\w.-]+@sha256:[0-9a-f]{64}")
_COMMIT = re.compile(r"[\w./-]+@[0-9a-f]{40}")


def named(pattern: str, *files: str) -> list[str]:
    """What lines of these files name."""
    paths = [path for file in files for path in ROOT.glob(file)]
    assert paths
    texts = (path.read_text() for path in paths)
    return [found for text in texts for found in re.findall(pattern, text, re.MULTILINE)]


def test_images_are_named_by_digest() -> None:
    images = [
        *named(r"^FROM (\S+)", "Dockerfile", "action/runner/Dockerfile"),
        *named(r"^ *image: (\S+)", "compose.yaml", ".github/workflows/*.yml"),
    ]
    assert len(images) >= 6
    assert {image for image in images if not _DIGEST.fullmatch(image)} == BY_NAME


def test_actions_are_named_by_commit() -> None:
    actions = named(r"^ *(?:- )?uses: (\S+)", ".github/workflows/*.yml", "action/action.yml")
    others = [action for action in actions if not action.startswith(("./", "$/"))]
    assert others
    assert all(_COMMIT.fullmatch(action) for action in others)


@pytest.mark.parametrize("file", ["Dockerfile", "action/runner/Dockerfile", "Makefile"])
def test_packages_of_images_are_installed_from_a_lock(file: str) -> None:
    text = (ROOT / file).read_text().replace("\\\n", " ")
    lines = [line for line in re.split(r"\n|&&", text) if "pip install" in line]
    assert lines
    assert all("--require-hashes" in line or "--no-deps" in line for line in lines)
