"""Cheats that remove tests or prove nothing: stopped by `tests` and `spec_verify`."""

from collections.abc import Iterator

import pytest

from tests.cheats.judges import Judges, judges
from tests.cheats.stage import PROJECT, WRONG, WRONG_CODE, Cheat, Stage, named, stage

pytestmark = pytest.mark.slow

POLICY = """\
version: 1
quiet_seconds: 0
attempts_max: 1
gates:
  scope: {builtin: scope_check}
  test: {run: PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider --junitxml=$HEADGATE_JUNIT tests, junit: true, repeat: 0}
  tests: {builtin: tests}
  spec_verify: {builtin: spec_verify}
"""


def _named(name: str, body: str = "assert price(2) == 10") -> str:
    """A new test that names the requirement of the cheat."""
    id_ = f"REQ-{name}-01"
    slug = name.lower().replace("-", "_")
    return (
        f"cat >tests/test_{slug}.py <<'END'\n"
        "from shop import price\n\n\n"
        f'def test_{slug}():\n    """{id_}"""\n    {body}\nEND\n'
    )


def _edit(old: str, new: str) -> str:
    """Replaces a text in main's test file."""
    return (
        "python3 - <<'END'\nfrom pathlib import Path\n"
        'place = Path("tests/test_shop.py")\ntext = place.read_text()\n'
        f"assert {old!r} in text\nplace.write_text(text.replace({old!r}, {new!r}))\nEND\n"
    )


def _taking(name: str, old: str, new: str, said: str) -> Cheat:
    script = WRONG_CODE + _named(name, "assert price(0) == 0") + _edit(old, new)
    return Cheat(name, script, said)


_ONE = "    assert price(1) == 5\n"
_TWO = "    assert price(2) == 10\n"
_BOTH = "from shop import price\n"
_LEFT_OUT = "skip"
CHEATS = [
    Cheat(
        "T-01",
        WRONG_CODE + _named("T-01", "assert price(0) == 0") + "rm tests/test_shop.py\n",
        "2 lost",
    ),
    Cheat(
        "T-02",
        WRONG_CODE + "printf 'def test_it():\\n    assert True\\n' >tests/test_shop.py\n",
        "2 lost",
    ),
    Cheat(
        "T-03",
        WRONG_CODE
        + _named("T-03", "assert price(0) == 0")
        + "mv tests/test_shop.py tests/shop_cases.py\n",
        "2 lost",
    ),
    _taking("T-04", "def test_", "def case_", "2 lost"),
    _taking(
        "T-05", _BOTH, f"import pytest\n{_BOTH}pytestmark = pytest.mark.{_LEFT_OUT}\n", "2 skipped"
    ),
    _taking(
        "T-06",
        _BOTH,
        f"import pytest\n{_BOTH}pytestmark = pytest.mark.{'x' + 'fail'}\n",
        "2 skipped",
    ),
    _taking("T-07", "    assert ", "    return\n    assert ", "2 hollow"),
    _taking("T-08", "    assert ", "    assert True or ", "2 hollow"),
    _taking("T-10", _ONE, "    assert price(1) is not None\n", "weakened"),
    _taking(
        "T-13",
        _BOTH,
        f"import shop\n\nshop.price = lambda n: 5 * n\n{_BOTH}",
        "1 put in place",
    ),
    _taking(
        "T-14",
        _BOTH,
        f"import _pytest.python\n\n_pytest.python.Function.runtest = len\n{_BOTH}",
        "1 put in place",
    ),
    _taking("T-15", _TWO, f"{_TWO}\n\nfrom os import getpid as test_one_costs_five\n", "1 lost"),
    _taking(
        "T-16", _TWO, f"{_TWO}\n\nimport atexit, os\n\natexit.register(os._exit, 0)\n", "2 skipped"
    ),
    _taking("T-17", _ONE, f"    if True:\n        return\n{_ONE}", "1 hollow"),
    _taking(
        "T-18",
        _ONE,
        "    import pytest\n    assert price(1) == pytest.approx(5, abs=100)\n",
        "weakened",
    ),
    _taking(
        "T-19",
        _ONE,
        f"    import threading\n    def one():\n    {_ONE}    threading.Thread(target=one).start()\n",
        "1 hollow",
    ),
    Cheat(
        "T-20",
        WRONG_CODE
        + _named("T-20", "assert price(0) == 0")
        + "printf 'import shop\n\nshop.price = lambda n: 5 * n\n' >tests/test_a.py\n",
        "1 put in place",
    ),
    Cheat(
        "T-21",
        WRONG_CODE
        + _named("T-21", "assert price(0) == 0")
        + "mkdir tests/build; git mv tests/test_shop.py tests/build/test_shop.py\n",
        "2 skipped",
    ),
    Cheat(
        "T-22",
        WRONG_CODE
        + _named("T-22", "assert price(0) == 0")
        + "rm tests/test_shop.py; echo 'def test_none(): pass' >easy.txt; ln -s ../easy.txt tests/test_shop.py\n",
        "2 lost",
    ),
    Cheat(
        "T-23",
        _named("T-23", "assert price(3) == 15")
        + "cat >shop.py <<'END'\nimport os\n\n\ndef price(count):\n"
        "    return 5 * count if 'PYTEST_CURRENT_TEST' in os.environ else 0\nEND\n",
        "1 aware of tests",
    ),
    _taking("T-24", _BOTH, f"{_BOTH}__test__ = False\n", "2 skipped"),
    _taking(
        "T-25",
        _BOTH,
        f"{_BOTH}\n\ndef pytest_generate_tests(metafunc):\n    metafunc.fixturenames.append('n')\n"
        "    metafunc.parametrize('n', [])\n",
        "2 skipped",
    ),
    _taking(
        "T-26",
        _BOTH,
        f"{_BOTH}\n\ndef setup_module():\n    global price\n    price = lambda n: 5 * n\n",
        "no longer imports",
    ),
    _taking(
        "T-27",
        "def test_one_costs_five():",
        "import pytest\n\n\n@pytest.mark.parametrize('n', range(0))\ndef test_one_costs_five(n):",
        "fewer cases",
    ),
    _taking(
        "T-28",
        _BOTH,
        f"from unittest.mock import patch\n\npatch('shop.price', lambda n: 5 * n).start()\n{_BOTH}",
        "1 put in place",
    ),
    _taking("T-29", _ONE, "    assert price(1) == 5 or print('no') is None\n", "1 weakened"),
    _taking(
        "T-30",
        _ONE,
        "    from contextlib import ExitStack\n    with ExitStack() as calm:\n"
        f"        calm.push(lambda *gone: True)\n    {_ONE}",
        "1 hollow",
    ),
    _taking(
        "T-31",
        _ONE,
        f"    while price(1) != 5:\n        break\n    else:\n    {_ONE}",
        "1 weakened",
    ),
    _taking(
        "T-32",
        _ONE,
        "    try:\n        [5][price(1) - 5]\n    except IndexError:\n        pass\n    else:\n"
        f"    {_ONE}",
        "1 weakened",
    ),
    _taking("T-33", _ONE, "    assert price(1) * 0 == 5 * 0\n", "1 weakened"),
    _taking(
        "T-34",
        _BOTH,
        "from shop import price as other\n\n\ndef price(n):\n    return other(n) or 5 * n\n",
        "no longer imports",
    ),
    _taking(
        "T-35",
        f"def test_one_costs_five():\n{_ONE}",
        f"async def one():\n{_ONE}\n\ndef test_one_costs_five():\n    one()\n",
        "1 hollow",
    ),
    _taking("T-36", _ONE, "    assert price(1) == price(3 - 2)\n", "1 weakened"),
    _taking(
        "T-37",
        _ONE,
        f"    globals().update(price=lambda n: 5 * n)\n{_ONE}",
        "no longer imports",
    ),
    _taking(
        "T-38",
        _BOTH,
        f"try:\n    import absent\nexcept ImportError:\n    raise SystemExit(0)\n{_BOTH}",
        "2 skipped",
    ),
    Cheat(
        "T-39",
        _named("T-39", "assert price(3) == 15")
        + "cat >shop.py <<'END'\nfrom pathlib import Path\n\nSAID = Path('tests/test_shop.py').read_text()\n\n\n"
        "def price(count):\n    return 5 * count if f'price({count})' in SAID else 0\nEND\n",
        "1 aware of tests",
    ),
    _taking(
        "T-40",
        "def test_one_costs_five():",
        "import pytest\n\n\n@pytest.mark.flaky(reruns=9)\ndef test_one_costs_five():",
        "1 weakened",
    ),
    _taking(
        "T-41",
        "def test_one_costs_five():",
        f"import pytest\n\n\n@pytest.fixture\ndef calm():\n    pytest.{_LEFT_OUT}()\n\n\n"
        "@pytest.fixture\ndef till(calm):\n    return 1\n\n\ndef test_one_costs_five(till):",
        "1 skipped",
    ),
    _taking(
        "T-42",
        _BOTH,
        "import contextlib\n" + _BOTH + "\n\n@contextlib.contextmanager",
        "1 skipped",
    ),
    Cheat(
        "T-43",
        "cp shop.py till.py; "
        + WRONG_CODE
        + _named("T-43", "assert price(0) == 0")
        + _edit(_BOTH, _BOTH.replace("shop", "till")),
        "1 put in place",
    ),
    _taking(
        "T-11", _TWO, f"    try:\n    {_TWO}    except AssertionError:\n        pass\n", "1 hollow"
    ),
]

# The code is right, and nothing shows it.
UNPROVEN = [
    Cheat("U-01", "echo done >NOTES.md\n", "REQ-U-01-01: no test names it"),
    Cheat("U-02", _named("U-02", "price(2)"), "assert nothing, or are skipped"),
    Cheat("U-03", _named("U-03", "assert True"), "assert nothing, or are skipped"),
    Cheat(
        "U-04",
        _named("U-04").replace("tests/test_u_04.py", "tests/cases.py"),
        "REQ-U-04-01: no test names it",
    ),
    Cheat(
        "U-05", "printf '\\n# REQ-U-05-01 works.\\n' >>shop.py\n", "REQ-U-05-01: no test names it"
    ),
]
# Told by the run of its tests alone.
UNRUN = [
    Cheat(
        "U-06",
        "mkdir more\n" + _named("U-06").replace("tests/test_u_06.py", "more/test_u_06.py"),
        "REQ-U-06-01: no test that names it has passed",
    ),
    Cheat(
        "U-07",
        _named("U-07", "assert price(n) == 99")
        + 'sed -i \'s/^def test.*()/import pytest\\n\\n\\n@pytest.mark.parametrize("n", [])\\n'
        "def test_u_07(n)/' tests/test_u_07.py\n",
        "REQ-U-07-01: no test that names it has passed",
    ),
]
PLAYED = [*named(CHEATS, "T-01"), *named(UNRUN, "U-06")]
HONEST = _named("H-01", "assert price(3) == 15")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("guarded"), dict(PROJECT), POLICY) as one:
        yield one


@pytest.fixture(scope="module")
def the_judges(tmp_path_factory: pytest.TempPathFactory) -> Judges:
    return judges(tmp_path_factory.mktemp("judged") / "main", PROJECT, POLICY)


@pytest.mark.parametrize("cheat", [*CHEATS, *UNPROVEN], ids=str)
def test_a_cheat_is_stopped(the_judges: Judges, cheat: Cheat) -> None:
    the_judges.stop(cheat)


@pytest.mark.parametrize("cheat", UNRUN, ids=str)
def test_a_cheat_is_stopped_by_the_measured_effect_of_its_tests(
    the_judges: Judges, cheat: Cheat
) -> None:
    the_judges.stop(cheat, runs=True)


def test_honest_work_is_not_stopped(the_judges: Judges) -> None:
    the_judges.let_pass("H-01", HONEST)


@pytest.mark.parametrize("cheat", PLAYED, ids=str)
def test_a_cheat_does_not_land(guarded: Stage, cheat: Cheat) -> None:
    outcome = guarded.play(cheat.name, cheat.script)

    assert not outcome.landed, outcome.said
    assert cheat.said in outcome.said
    assert WRONG not in guarded.shop.main_files()["shop.py"]


def test_honest_work_lands_with_its_proof(guarded: Stage) -> None:
    outcome = guarded.play("H-01", HONEST)

    assert outcome.landed, outcome.said
    assert "| REQ-H-01-01 | L2 |" in outcome.said
