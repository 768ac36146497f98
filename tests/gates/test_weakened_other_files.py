"""Tests in Python with helpers in another file: a helper that hides failures weakens them."""

import pytest

from gates.result import Ending
from tests.gates.test_rows_in_other_files import judged

SHOP = "def price(n):\n    return 5 * n\n"
TEST = "from shop import price\n\n\ndef test_one():\n    assert price(1) == 5\n"
TOLD = "def told(f):\n    def inner():\n        print(f)\n        return f()\n\n    return inner\n"
CALM = (
    "def told(f):\n    def inner():\n        try:\n            f()\n"
    "        except AssertionError:\n            pass\n\n    return inner\n"
)
NEVER = "def told(f):\n    return lambda: None\n"
QUIET = (
    "from contextlib import contextmanager\n\n\n@contextmanager\ndef told():\n    try:\n        yield\n"
    "    except AssertionError:\n        pass\n"
)
OPEN = "from contextlib import contextmanager\n\n\n@contextmanager\ndef told():\n    yield\n"
WITH = TEST.replace("    assert", "    with told():\n        assert").replace(
    "from shop", "from tests.kit import told\nfrom shop"
)
DECORATED = TEST.replace("def test", "@told\ndef test").replace(
    "from shop", "from tests.kit import told\nfrom shop"
)
ASKED = "from shop import price\nfrom tests.kit import is_cost\n\n\ndef test_one():\n    is_cost(price(1), 5)\n"
IS_COST = "def is_cost(got, wanted):\n    assert got == wanted\n"
BY_NAME = ASKED.replace("is_cost", "assert_cost")
ROOT = DECORATED.replace("tests.kit", "kit")


def of(test: str, kit: str, path: str = "tests/kit.py") -> dict[str, str]:
    return {"shop.py": SHOP, "tests/test_shop.py": test, path: kit}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (of(TEST, TOLD), of(DECORATED, CALM)),
        (of(DECORATED, TOLD), of(DECORATED, CALM)),
        (of(DECORATED, TOLD), of(DECORATED, NEVER)),
        (of(WITH, OPEN), of(WITH, QUIET)),
        (of(ROOT, TOLD, "kit.py"), of(ROOT, CALM, "kit.py")),
        (
            of(ROOT.replace("kit import told", "kit import told as told"), TOLD, "kit.py"),
            of(ROOT, CALM, "kit.py"),
        ),
        (
            of(
                DECORATED.replace("told", "heard").replace("import heard", "import told as heard"),
                TOLD,
            ),
            of(
                DECORATED.replace("told", "heard").replace("import heard", "import told as heard"),
                CALM,
            ),
        ),
        (of(ASKED, IS_COST), of(ASKED, "def is_cost(got, wanted):\n    pass\n")),
        (of(ASKED, IS_COST), of(ASKED, IS_COST.replace("== wanted", "is not None"))),
        (
            of(BY_NAME, IS_COST.replace("is_cost", "assert_cost")),
            of(BY_NAME, "def assert_cost(got, wanted):\n    pass\n"),
        ),
        (
            of(
                ASKED,
                f"{IS_COST.replace('    assert got == wanted', '    same(got, wanted)')}\n\ndef same(a, b):\n    assert a == b\n",
            ),
            of(
                ASKED,
                f"{IS_COST.replace('    assert got == wanted', '    same(got, wanted)')}\n\ndef same(a, b):\n    pass\n",
            ),
        ),
    ],
    ids=[
        "a decorator that catches is added",
        "a decorator catches now",
        "a decorator calls nothing now",
        "a context manager catches now",
        "a decorator at the top catches now",
        "under its own name",
        "under another name",
        "a helper asserts nothing now",
        "a helper asserts less now",
        "a helper that is called so asserts nothing now",
        "a helper of a helper asserts nothing now",
    ],
)
def test_a_helper_that_swallows_failures_is_found_where_it_is_used(
    before: dict[str, str], after: dict[str, str]
) -> None:
    assert judged(before, after).ending is Ending.FAILED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (of(TEST, TOLD), of(DECORATED, TOLD)),
        (of(DECORATED, TOLD), of(DECORATED, TOLD.replace("print(f)", "print('it', f)"))),
        (of(DECORATED, CALM), of(DECORATED, CALM)),
        (of(TEST, IS_COST), of(ASKED, IS_COST)),
        (
            of(ASKED, IS_COST),
            of(ASKED, IS_COST.replace("    assert", "    print(got)\n    assert")),
        ),
        (
            of(ASKED, IS_COST),
            {
                "shop.py": SHOP,
                "tests/test_shop.py": ASKED.replace("tests.kit", "tests.money"),
                "tests/money.py": IS_COST,
            },
        ),
        (of(TEST, ""), {**of(TEST, ""), "shop.py": f"{SHOP}\n\n{CALM}"}),
    ],
    ids=[
        "a decorator is added",
        "a decorator says more",
        "it caught before",
        "an assertion is in a helper now",
        "a helper says more",
        "a helper has moved",
        "the product has a decorator of its own",
    ],
)
def test_legitimate_work_on_helpers_is_not_reported(
    before: dict[str, str], after: dict[str, str]
) -> None:
    said = judged(before, after)
    assert said.ending is Ending.PASSED, said.sentence
