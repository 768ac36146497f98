"""Every test that talks to localhub holds it to GitHub's own description, without asking for it."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from bot.localhub.traffic import subscribe, unsubscribe
from tests.testkit.examples import HUNT
from tests.testkit.exchange_recorder import ExchangeRecorder
from tests.testkit.key_pool import KEYS
from tests.testkit.memory_files import keep_files_in_memory

keep_files_in_memory()

# Imports and the tests themselves make millions of objects and no garbage.
gc.disable()

# A test has the settings that it says, not those of a Headgate that was set up on this machine.
os.environ["HEADGATE_SETTINGS"] = os.devnull

# Nothing here is behind a proxy. Where that is not said, `requests` reads the environment for each request.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"

# The same examples every time: a hunt for others is `make hunt`, not an accident in CI.
# Workers share cores: how long an example takes to draw says nothing.
settings.register_profile(
    "steady", derandomize=not HUNT, suppress_health_check=[HealthCheck.too_slow], deadline=None
)
settings.load_profile("steady")
if not HUNT:
    # Else the examples are others with each module that is imported, whose constants are drawn now and
    # then; every worker would read all of the project for it, and sort through it for each property.
    providers._get_local_constants = Constants


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take longest first, so that no worker begins with a long one at the end."""
    weights: Counter[Path] = Counter()
    for item in items:
        weights[item.path] += _weight(item)
    items.sort(key=lambda item: -weights[item.path])


def _weight(item: pytest.Item) -> int:
    """About how many seconds of a processor it takes; most tests need a hundredth."""
    if item.path.name.startswith("test_costly_"):
        # They measure: not at the start, when every worker begins and types are read beside them.
        return 2
    if "linear_time" in item.path.name:
        # Half a second each. The last files of a run are those that weigh nothing.
        return 1
    if item.get_closest_marker("slow"):
        return 4
    return 3 if "shop" in getattr(item, "fixturenames", ()) else 0


def pytest_collection_finish() -> None:
    """What is there by now stays: the collector need not look through it, now or ever again."""
    gc.freeze()
    # A story leaves little in circles: look through what it made less often.
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


@pytest.fixture(autouse=True)
def _keys_are_made_once() -> Iterator[None]:
    with KEYS.instead_of_new_ones():
        yield


@pytest.fixture(scope="session")
def recorder() -> Iterator[ExchangeRecorder]:
    """Looks on from the first test to the last."""
    recorder = ExchangeRecorder()
    subscribe(recorder)
    yield recorder
    unsubscribe(recorder)


@pytest.fixture(autouse=True)
def _as_github_describes_it(recorder: ExchangeRecorder) -> Iterator[None]:
    yield
    findings = recorder.findings()
    if findings:
        listed = "\n".join(f"  {finding}" for finding in findings)
        pytest.fail(f"GitHub does not describe it so:\n{listed}", pytrace=False)
