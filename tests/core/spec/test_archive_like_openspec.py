"""The archive does with every recorded case what the OpenSpec CLI did with it, byte for byte."""

from typing import cast

import pytest

from bot.core.spec.archive.delta import Checks, Folded, Refused, fold
from tests.core.spec.corpus import MISSING, archive_cases

CASES = archive_cases()
_MAIN = "openspec/specs/"


@pytest.mark.skipif(not CASES, reason=MISSING)
@pytest.mark.parametrize("name", sorted(CASES) or ["absent"])
def test_archive_case(name: str) -> None:
    case = CASES[name]
    given = cast(dict[str, object], case["input"])
    result = cast(dict[str, object], case["result"])
    expected = {f"{_MAIN}{k}": v for k, v in cast(dict[str, str], result["specs"]).items()}
    archived = cast(dict[str, object], result["archive"])["rc"] == 0
    flags = cast(list[str], given["flags"])
    if "--skip-specs" in flags:
        assert expected == {f"{_MAIN}{given['cap']}/spec.md": given["main"]}
        return
    main = {f"{_MAIN}{given['cap']}/spec.md": str(given["main"])} if given["main"] else {}
    outcome = fold(main, _delta(given), str(given["change"]), checks=_checks(flags))
    assert isinstance(outcome, Folded) is archived, outcome
    if isinstance(outcome, Refused):
        assert all(r.sentence for r in outcome.reasons)
        assert expected == main
        return
    after = {path: text for path, text in {**main, **outcome.files}.items() if text is not None}
    assert after == expected
    out = cast(dict[str, object], cast(dict[str, object], result["archive"])["out"])
    totals = cast(dict[str, object], out["archive"]).get("totals")
    assert totals is None or outcome.totals.model_dump() == totals
    again = fold(after, _delta(given), str(given["change"]), checks=Checks.NONE)
    assert isinstance(again, Folded)
    assert again.files == {}


def _checks(flags: list[str]) -> Checks:
    return Checks.NONE if "--no-validate" in flags else Checks.ALL


def _delta(given: dict[str, object]) -> dict[str, str]:
    prefix = f"openspec/changes/{given['change']}/"
    extra = cast(dict[str, str], given["extra"])
    files = {path.removeprefix(prefix): text for path, text in extra.items()}
    if given["delta"] is not None:
        files[f"specs/{given['cap']}/spec.md"] = str(given["delta"])
    if given["yaml"] is not None:
        files[".openspec.yaml"] = str(given["yaml"])
    return files
