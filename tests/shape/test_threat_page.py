"""The threat page equals the markers of the tests and names existing code."""

from pathlib import Path

import pytest

from tests.shape.test_documents import NAME, exists
from tests.shape.threat_page import SECURITY, Attack, attacks, threat_page
from tests.testkit.planting import plantings

# Attacks that nothing of ours holds, and who does.
HELD_BY_OTHERS = {
    "tests/security/test_malformed_http_requests.py::test_pieces_that_can_be_read_in_two_ways_end_the_connection": "gunicorn, with whatever settings",
}


def test_a_marked_test_is_a_row_of_its_files_part(tmp_path: Path) -> None:
    (tmp_path / "test_repeated_failures.py").write_text(
        '"""The doors.\n\nMore."""\n'
        '@pytest.mark.attack("A key" " is copied", held="a lock")\n'
        "def test_a_lock() -> None: ...\n"
        "def test_another() -> None: ...\n"
    )
    place = "tests/test_repeated_failures.py::test_a_lock"
    assert attacks(tmp_path) == [Attack("The doors", "A key is copied", "a lock", place)]


def test_every_file_of_attacks_is_a_part_of_the_page() -> None:
    page = threat_page()
    for file in SECURITY.glob("test_*.py"):
        assert f"tests/security/{file.name}::" in page, "mark its tests with `attack`"


@pytest.mark.parametrize("attack", attacks(), ids=lambda a: a.test.rpartition("::")[2])
def test_an_attack_is_a_row_that_names_code_that_exists(attack: Attack) -> None:
    assert "|" not in attack.tried + attack.held
    assert "\n" not in attack.tried + attack.held
    assert [name for name in NAME.findall(attack.held) if not exists(name)] == []


def test_every_attack_test_has_a_planted_fault() -> None:
    killers = {test.partition("[")[0] for one in plantings() for test in one.killers()}
    unguarded = {attack.test for attack in attacks()} - killers
    assert unguarded == HELD_BY_OTHERS.keys(), "plant a fault for each (tests.testkit.planting)"
