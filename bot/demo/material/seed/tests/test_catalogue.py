"""The catalogue, from the command line."""

from conftest import Tidepool


def test_cat_01_gear_is_added_and_shown(tidepool: Tidepool) -> None:
    """CAT-01: Gear has a code and a name."""
    assert tidepool("add", "k-01", "Red kayak") == "Added k-01, Red kayak.\n"
    assert "name: Red kayak\n" in tidepool("show", "k-01")


def test_cat_02_a_code_is_taken_once(tidepool: Tidepool) -> None:
    """CAT-02: A code is taken once."""
    tidepool("add", "k-01", "Red kayak")
    refusal = tidepool("add", "k-01", "Blue kayak", refused=True)
    assert refusal == "The code k-01 is taken by Red kayak.\n"


def test_cat_03_gear_is_listed_by_code(tidepool: Tidepool) -> None:
    """CAT-03: Gear is listed by code."""
    tidepool("add", "w-02", "Wetsuit, size M")
    tidepool("add", "k-01", "Red kayak")
    lines = tidepool("list").splitlines()
    assert [line.split()[0] for line in lines] == ["k-01", "w-02"]


def test_gear_is_removed(tidepool: Tidepool) -> None:
    tidepool("add", "k-01", "Red kayak")
    assert tidepool("remove", "k-01") == "Removed k-01, Red kayak.\n"
    assert tidepool("count") == "0 pieces of gear\n"
