"""Future and removed work is not planned, is listed, and is planned on request."""

import pytest

from bot.core.plan.put_off import put_off
from bot.core.spec.read import read_spec
from bot.core.talk.issues import plan_region
from bot.core.values.check_run import Conclusion
from bot.core.values.spec_model import Spec
from tests.core.kit import World, proposed
from tests.core.values import GATES, PATH, policy

TEXT = """# Garden

## Requirements

### Beds

- **FR-1**: The planner MUST show beds.

### {heading}

- **FR-2**: {title}The planner MUST forecast harvests.
"""


def garden(heading: str = "Plants", title: str = "") -> Spec:
    return read_spec(PATH, {PATH: TEXT.format(heading=heading, title=title).encode()})


def later(of: Spec) -> list[str]:
    return [id_.partition("#")[2] for id_ in put_off(of)]


@pytest.mark.parametrize(
    "heading",
    [
        "Future (Phase 2)", "Future work", "Future enhancements", "Post-MVP", "Later releases",
        "Reports (future)", "将来", "未来规划", "今後の機能", "Zukünftige Funktionen", "Trabajo futuro",
    ],
)  # fmt: skip
def test_requirements_below_a_future_heading_are_deferred(heading: str) -> None:
    assert later(garden(heading)) == ["FR-2"]


@pytest.mark.parametrize("heading", ["Plants", "Future-proof storage", "Phase 2", "Releases"])
def test_an_ordinary_heading_defers_nothing(heading: str) -> None:
    assert later(garden(heading)) == []


@pytest.mark.parametrize(
    "title", ["[DEPRECATED] ", "(removed) ", "Abolished: ", "【已废弃】", "[veraltet] "]
)
def test_a_requirement_whose_title_says_removed_is_deferred(title: str) -> None:
    assert later(garden(title=title)) == ["FR-2"]


@pytest.mark.parametrize("title", ["Removed plants stay listed. ", "[P1] ", "(fast) "])
def test_a_title_about_removed_things_is_planned(title: str) -> None:
    assert later(garden(title=title)) == []


@pytest.mark.parametrize(
    "said",
    [
        "The planner shows frost warnings (future)",
        "The planner shows frost warnings (planned for a later release)",
        "Frost warnings are planned for a later release.",
        "Photos of plants will be added in phase 2",
        "植物の写真を認識できること（将来対応）",
        "写真の認識は将来対応とする。",
        "音声入力は次のフェーズで検討する",
        "支持照片识别（后续版本）",
        "照片识别后续版本支持",
        "사진 인식은 향후 지원 예정",
        "Die Erkennung von Fotos wird in einer späteren Version umgesetzt.",
        "La reconnaissance de photos sera ajoutée dans une version ultérieure.",
    ],
)
def test_a_requirement_whose_text_says_later_is_deferred(said: str) -> None:
    assert later(garden(title=f"{said}\n- **FR-3**: ")) == ["FR-2"]


@pytest.mark.parametrize(
    "said",
    [
        "The planner MUST refuse beds (future dates only)",
        "The planner MUST list what is planned for a later week.",
        "The planner MUST keep a plan that is deferred to a later date.",
        "今後の予定を表示できること",
        "用户可以查看后续版本的说明",
        "The planner MUST show frost. Photos are planned for a later release.",
    ],
)
def test_a_requirement_that_mentions_the_future_is_planned(said: str) -> None:
    assert later(garden(title=f"{said}\n- **FR-3**: ")) == []


def test_a_spec_of_only_future_work_is_planned() -> None:
    text = "# Garden\n\n## Requirements\n\n### Future\n\n- **FR-1**: It MUST grow.\n"
    assert put_off(read_spec(PATH, {PATH: text.encode()})) == {}


def planned(world: World) -> set[str]:
    changes = world.state.changes_of(world.run.id)
    return {r.partition("#")[2] for c in changes for r in c.planned.requirements}


def test_deferred_work_is_listed_and_planned_when_a_person_includes_it() -> None:
    world = proposed(garden("Future work"))
    assert planned(world) == {"FR-1"}
    said = plan_region(world.state, policy(), world.run)
    assert "FR-2: it is under the heading “Future work”" in said
    assert "`/headgate plan include FR-2`" in said
    world.say(world.run.issue or 0, "/headgate plan include FR-2")
    world.settle()
    assert planned(world) == {"FR-1", "FR-2"}
    assert "plan include" not in plan_region(world.state, policy(), world.run)
    # An edit of other text does not take it away again.
    text = TEXT.format(heading="Future work", title="").replace("show beds", "show all beds")
    world.push_spec(read_spec(PATH, {PATH: text.encode()}), "v2")
    world.settle()
    assert planned(world) == {"FR-1", "FR-2"}


def test_planned_or_unknown_requirements_cannot_be_included() -> None:
    world = proposed(garden("Future work"))
    for name in ("FR-1", "FR-9"):
        world.say(world.run.issue or 0, f"/headgate plan include {name}")
        world.settle()
    assert planned(world) == {"FR-1"}


def ticked(ticks: str = "xxx") -> Spec:
    page = TEXT.format(heading="Plants", title="").encode()
    tasks = "".join(f"- [{tick}] {n}. Part {n}\n" for n, tick in enumerate(ticks, 1)).encode()
    folder = "specs/garden"
    spec = read_spec(folder, {f"{folder}/spec.md": page, f"{folder}/tasks.md": tasks})
    return spec.replace(path=PATH)


def test_a_completely_ticked_spec_is_reported_at_its_commit_and_planned_on_request() -> None:
    world = World(GATES)
    world.push_spec(ticked())
    world.settle()
    assert not world.state.spec_runs
    (check,) = (c for c in world.check_runs.values() if c.name == "headgate/spec")
    assert check.conclusion is Conclusion.SUCCESS
    assert check.title == f"{PATH} starts no work"
    told = "There is nothing to plan, because all its tasks are ticked. To plan it anyway, comment"
    assert told in check.summary
    ((_, comment),) = world.posted
    assert comment.startswith(f"Headgate plans no work for `{PATH}`:")
    assert told in comment
    world.say(7, f"/headgate run {PATH}")
    world.settle()
    assert planned(world) == {"FR-1", "FR-2"}
    assert PATH not in world.state.refusals


def test_later_ticks_remove_nothing_from_an_open_plan() -> None:
    world = World(GATES)
    world.push_spec(ticked("x x"))
    world.settle()
    assert planned(world) == {"FR-1", "FR-2"}
    world.push_spec(ticked(), "v2")
    world.settle()
    assert planned(world) == {"FR-1", "FR-2"}
    assert not world.state.refusals
