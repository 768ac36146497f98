"""Tests whose product is replaced by another one: by paths, modules and `use`."""

import pytest

from gates.result import Ending
from tests.gates.test_rows_in_other_files import judged

SHOP = "def price(n):\n    return 4 * n\n"
EASY = "def price(n):\n    return 5 * n\n"
TEST = "from shop import price\n\n\ndef test_one():\n    assert price(1) == 5\n"
PATH = 'import sys\n\nsys.path.insert(0, "tests/easy")\n'
BASE = {"src/shop/__init__.py": SHOP, "tests/test_shop.py": TEST, "tests/kit.py": "ONE = 1\n"}
FLAT = {"shop.py": SHOP, "tests/test_shop.py": TEST}
SAVED = """

def test_two():
    saved = sys.modules["shop"]
    sys.modules["shop"] = None
    assert load() == 1
    sys.modules["shop"] = saved
"""


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (FLAT, {"tests/shop.py": EASY}),
        (FLAT, {"tests/shop/__init__.py": EASY}),
        (BASE, {"tests/shop.py": EASY}),
        (BASE, {"tests/easy/shop.py": EASY, "tests/test_shop.py": f"{PATH}{TEST}"}),
        (BASE, {"tests/easy/shop.py": EASY, "tests/kit.py": PATH}),
        (BASE, {"tests/easy/shop.py": EASY, "tests/conftest.py": PATH}),
        (BASE, {"tests/easy/shop.py": EASY, "tests/kit.py": PATH.replace("insert(0, ", "append(")}),
        (
            BASE,
            {
                "tests/easy/shop.py": EASY,
                "tests/kit.py": 'import site\n\nsite.addsitedir("tests/easy")\n',
            },
        ),
        (BASE, {"tests/easy/shop.py": EASY, "tests/kit.py": 'sys.path[:0] = ["tests/easy"]\n'}),
        (BASE, {"tests/kit.py": 'import sys\n\nimport easy\n\nsys.modules["shop"] = easy\n'}),
        (
            BASE,
            {
                "tests/test_shop.py": f'{TEST}\n\ndef setup_module():\n    sys.modules["shop"] = Easy()\n'
            },
        ),
        (BASE, {"tests/kit.py": "import builtins\n\nbuiltins.AssertionError = ValueError\n"}),
        (BASE, {"tests/kit.py": "import shop\n\nshop.price = lambda n: 5 * n\n"}),
    ],
    ids=[
        "beside the tests",
        "a package beside the tests",
        "beside the tests of a package",
        "a path in the test",
        "a path in a helper",
        "a path in a set-up",
        "a path at the end",
        "a folder of sites",
        "a slice of the path",
        "a module in a helper",
        "a module before the tests",
        "another failure in a helper",
        "another price in a helper",
    ],
)
def test_another_module_of_the_products_name_is_found(
    before: dict[str, str], change: dict[str, str]
) -> None:
    said = judged(before, {**before, **change})
    assert said.ending is Ending.FAILED
    assert "put in place" in said.sentence


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (BASE, {"tests/kit.py": 'import sys\n\nsys.path.insert(0, "src")\n'}),
        (BASE, {"tests/kit.py": PATH, "tests/easy/data.py": EASY}),
        (BASE, {"src/shop/shop.py": EASY}),
        (BASE, {"examples/shop.py": EASY}),
        (BASE, {"tests/shop/__init__.py": "", "tests/shop/test_more.py": TEST}),
        ({**BASE, "tests/easy/shop.py": EASY}, {"tests/easy/shop.py": f"{EASY}\n"}),
        (BASE, {"tests/test_shop.py": f"{TEST}{SAVED}"}),
        (
            BASE,
            {
                "tests/test_more.py": 'def test_two():\n    sys.modules["plugin"] = made()\n    assert load() == 1\n'
            },
        ),
        (BASE, {"tests/kit.py": "ONE = 1\nTWO = 2\n"}),
    ],
    ids=[
        "the product's own folder",
        "data of the tests",
        "a part of the product",
        "an example",
        "tests in folders of its name",
        "it was there before",
        "it is put back",
        "a module that is nobody's",
        "a helper has more",
    ],
)
def test_legitimate_paths_and_modules_are_not_reported(
    before: dict[str, str], change: dict[str, str]
) -> None:
    said = judged(before, {**before, **change})
    assert said.ending is Ending.PASSED, said.sentence


RUST = "pub fn price(n: u32) -> u32 {\n    4 * n\n}\n"
INSIDE = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn one() {\n        assert_eq!(price(1), 5);\n    }\n}\n"
METHOD = "impl Shop {\n    fn price<'a>(&'a mut self, n: u32) -> u32 {\n        n\n    }\n}\n\n"
LIB = f"mod easy;\n\n{RUST}\n{INSIDE}"
ASIDE = "use shop::price;\n\n#[test]\nfn one() {\n    assert_eq!(price(1), 5);\n}\n"
GIVEN = RUST.replace("4", "5")


@pytest.mark.parametrize(
    ("before", "after", "is_found"),
    [
        (
            {"src/lib.rs": LIB},
            {
                "src/lib.rs": LIB.replace("::*;", "::*;\n    use crate::easy::price;"),
                "src/easy.rs": GIVEN,
            },
            True,
        ),
        (
            {"src/lib.rs": LIB},
            {
                "src/lib.rs": LIB.replace("::*;", "::*;\n    use crate::{easy::{price, other}};"),
                "src/easy/mod.rs": GIVEN,
            },
            True,
        ),
        (
            {"src/lib.rs": LIB},
            {"src/lib.rs": LIB.replace("price(1)", "crate::easy::price(1)"), "src/easy.rs": GIVEN},
            True,
        ),
        (
            {"src/lib.rs": LIB},
            {
                "src/lib.rs": LIB.replace("mod easy;", f"mod easy {{\n{GIVEN}}}").replace(
                    "::*;", "::*;\n    use crate::easy::price;"
                )
            },
            True,
        ),
        (
            {"src/lib.rs": RUST, "tests/shop.rs": ASIDE},
            {
                "src/lib.rs": f"pub mod easy;\n{RUST}",
                "src/easy.rs": GIVEN,
                "tests/shop.rs": ASIDE.replace("shop::", "shop::easy::"),
            },
            True,
        ),
        (
            {"src/lib.rs": RUST, "tests/shop.rs": ASIDE},
            {
                "src/lib.rs": RUST,
                "tests/easy/mod.rs": GIVEN,
                "tests/shop.rs": ASIDE.replace("use shop::", "mod easy;\nuse easy::"),
            },
            True,
        ),
        # A method of its name was there, and nobody takes that by `use`.
        (
            {"src/lib.rs": f"{METHOD}{INSIDE}"},
            {
                "src/lib.rs": f"use crate::sums::price;\n{METHOD}{INSIDE}",
                "src/sums.rs": RUST,
            },
            False,
        ),
        # It has moved, and the old place hands it on.
        (
            {"src/lib.rs": RUST, "tests/shop.rs": ASIDE},
            {
                "src/lib.rs": "pub mod sums;\npub use sums::price;\n",
                "src/sums.rs": RUST,
                "tests/shop.rs": ASIDE.replace("shop::", "shop::sums::"),
            },
            False,
        ),
        # Both were there before.
        (
            {"src/lib.rs": LIB, "src/easy.rs": GIVEN},
            {
                "src/lib.rs": LIB.replace("::*;", "::*;\n    use crate::easy::price;"),
                "src/easy.rs": GIVEN,
            },
            False,
        ),
        # It has moved into the file of its tests.
        (
            {
                "src/lib.rs": "mod sums;\n" + INSIDE.replace("super::*", "crate::sums::price"),
                "src/sums.rs": RUST,
            },
            {
                "src/lib.rs": RUST + INSIDE.replace("super::*", "crate::price"),
                "src/sums.rs": "",
            },
            False,
        ),
        # A helper of the tests' own has a name that nothing else has.
        (
            {"src/lib.rs": LIB},
            {
                "src/lib.rs": LIB.replace("::*;", "::*;\n    use crate::easy::made;"),
                "src/easy.rs": "pub fn made() {}\n",
            },
            False,
        ),
    ],
    ids=[
        "another use",
        "one of several",
        "by its path",
        "a module in the file",
        "beside the crate",
        "in the tests",
        "a method",
        "it has moved",
        "both were there",
        "it has moved here",
        "a name of its own",
    ],
)
def test_tests_in_rust_keep_their_product(
    before: dict[str, str], after: dict[str, str], is_found: bool
) -> None:
    said = judged(before, after)
    assert (said.ending is Ending.FAILED) is is_found, said.sentence
