"""Reported rules are those that readers found useful."""

from pathlib import Path

from tests.precision.__main__ import FINDINGS_MIN, USEFUL_SHARE, differences, judged, shares


def test_every_reported_rule_is_useful_often_enough() -> None:
    seldom = {
        rule: (told, useful)
        for rule, (told, useful) in shares(judged()).items()
        if told >= FINDINGS_MIN and useful < USEFUL_SHARE * told
    }
    assert not seldom


def test_sixty_files_of_many_repositories_were_read() -> None:
    rows = judged()
    assert len({(r.repository, r.path) for r in rows}) >= 60
    assert len({r.repository for r in rows}) >= 20


def test_an_unjudged_finding_is_named(tmp_path: Path) -> None:
    first = next(row for row in judged() if row.rule != "-")
    place = tmp_path / first.repository.replace("/", "+") / first.path
    place.parent.mkdir(parents=True)
    place.write_text("# Till\n\n## Requirements\n\n- **FR-001**: It MUST close at TBD.\n")
    found = list(differences(tmp_path, [first]))
    assert any("5: marker is told and not judged" in one for one in found)
    assert any("is judged and no longer told" in one for one in found)
