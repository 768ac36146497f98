"""Ids survive edits of text, order, numbers and places."""

from hypothesis import given, settings, strategies as st

from bot.core.spec.identity.register import (
    EntryState,
    Register,
    Registration,
    dump,
    load,
    registered,
    renamed_in_archive,
)
from bot.core.spec.read import read_spec
from bot.core.values.spec_model import Spec

PATH = "shop/spec.md"
THINGS = (
    "the cart counts every product that a person puts into it before paying",
    "a receipt is sent by mail within five minutes after the payment was made",
    "passwords are stored only as a salted hash made by a slow function",
    "search finds products by name, maker and colour and ignores accents",
    "an administrator can close the shop for a night and open it again",
    "prices are shown with the tax of the country of the delivery address",
)


def spec(*lines: str) -> Spec:
    return read_spec(PATH, {PATH: ("## Requirements\n\n" + "\n".join(lines) + "\n").encode()})


def numbered(things: list[str], start: int = 1) -> Spec:
    return spec(*(f"- **REQ-S-{n}**: It MUST hold that {t}." for n, t in enumerate(things, start)))


def plain(things: list[str]) -> Spec:
    return spec(*(f"- It MUST hold that {t}." for t in things))


def first(of: Spec) -> Registration:
    return registered(Register(), of, "c1")


def by_text(registration: Registration) -> dict[str, str]:
    return {t: r.id for r in registration.spec.requirements for t in THINGS if t in r.statement}


def test_registering_twice_keeps_the_register() -> None:
    once = first(numbered(list(THINGS)))
    again = registered(once.register, numbered(list(THINGS)), "c1")
    assert again.register == once.register
    assert (again.minted, again.removed, again.doubts) == ((), (), ())


@given(st.permutations(THINGS))
@settings(max_examples=25, deadline=None)
def test_reordering_keeps_every_id(order: list[str]) -> None:
    before = first(plain(list(THINGS)))
    after = registered(before.register, plain(order), "c2")
    assert by_text(after) == by_text(before)
    assert after.minted == after.removed == ()


@given(st.permutations(THINGS))
@settings(max_examples=25, deadline=None)
def test_renumbering_keeps_the_ids_of_the_texts(order: list[str]) -> None:
    before = first(numbered(list(THINGS)))
    after = registered(before.register, numbered(order), "c2")
    assert by_text(after) == by_text(before)


@given(st.integers(0, len(THINGS)), st.text(alphabet="abcdefgh ", min_size=20, max_size=60))
@settings(max_examples=25, deadline=None)
def test_a_new_requirement_renames_no_other(at: int, words: str) -> None:
    things = list(THINGS)
    before = first(plain(things))
    after = registered(before.register, plain([*things[:at], "zzz " + words, *things[at:]]), "c2")
    assert by_text(before).items() <= by_text(after).items()
    assert after.removed == ()


def test_a_small_edit_keeps_the_id_and_changes_the_hash() -> None:
    before = first(plain(list(THINGS)))
    edited = [THINGS[0].replace("before paying", "before they pay"), *THINGS[1:]]
    after = registered(before.register, plain(edited), "c2")
    assert [r.id for r in after.spec.requirements] == [r.id for r in before.spec.requirements]
    old, new = before.spec.requirements[0], after.spec.requirements[0]
    assert old.text_hash != new.text_hash
    assert new.id in {e.rid for e in after.register.live("shop")}


def test_a_rewritten_text_under_its_own_number_stays_itself() -> None:
    before = first(numbered([THINGS[0], THINGS[1]]))
    after = registered(before.register, numbered([THINGS[0], THINGS[4]]), "c2")
    assert after.minted == ()


def test_a_removed_requirement_leaves_a_tombstone_and_its_id_is_never_used_again() -> None:
    before = first(numbered([THINGS[0], THINGS[1]]))
    gone = registered(before.register, numbered([THINGS[0]]), "c2")
    assert gone.removed == ("shop#REQ-S-2",)
    back = registered(gone.register, numbered([THINGS[0], THINGS[2]]), "c3")
    assert back.minted == ("shop#REQ-S-2~2",)
    states = {str(e.rid): e.state for e in back.register.entries}
    assert states["shop#REQ-S-2"] is EntryState.REMOVED


def test_a_likely_but_unsure_match_gets_a_new_id_and_a_doubt() -> None:
    before = first(plain([THINGS[0]]))
    words = "the cart adds up all items and coupons that someone places there before paying by card"
    after = registered(before.register, plain([words]), "c2")
    assert after.minted
    (doubt,) = after.doubts
    assert doubt.maybe == before.spec.requirements[0].id


def test_two_equally_similar_candidates_do_not_match() -> None:
    before = first(plain(["the blue button opens the first page"]))
    after = registered(
        before.register,
        plain(["the blue button opens the first pane", "the blue button opens the first cage"]),
        "c2",
    )
    assert len(after.minted) == 2


def test_a_moved_spec_keeps_its_ids() -> None:
    before = first(numbered(list(THINGS)))
    moved = read_spec(
        "store/spec.md",
        {
            "store/spec.md": b"## Requirements\n\n"
            + "\n".join(
                f"- **REQ-S-{n}**: It MUST hold that {t}." for n, t in enumerate(THINGS, 1)
            ).encode()
        },
    )
    after = registered(before.register, moved, "c2", moved_from="shop")
    assert [r.id for r in after.spec.requirements] == [r.id for r in before.spec.requirements]
    assert after.register.live("store")[0].aliases == ("store#REQ-S-1",)
    assert after.register.live("shop") == ()


def test_an_archive_rename_moves_the_entry_without_guessing() -> None:
    before = first(spec("### REQ-A-1: Old name", "It SHALL."))
    after = renamed_in_archive(before.register, "shop", "Old name", "New name")
    (entry,) = after.live("shop")
    assert (entry.title, entry.aliases) == ("New name", ("Old name",))


def test_the_file_form_is_sorted_and_comes_back() -> None:
    register = first(numbered(list(THINGS))).register
    text = dump(register)
    assert load(text) == (register, ())
    assert text.split("\n")[:-1] == sorted(text.split("\n")[:-1])


def test_conflict_markers_are_reported_and_entries_are_kept() -> None:
    register = first(numbered(list(THINGS))).register
    lines = dump(register).split("\n")
    broken = "\n".join([lines[0], "<<<<<<< ours", *lines[1:], ">>>>>>> theirs"])
    assert load(broken) == (register, (2, 9))


@given(st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_loading_never_raises(text: str) -> None:
    load(text)


SHAPES = {
    "as it was": lambda text: text,
    "windows line ends": lambda text: text.replace("\n", "\r\n"),
    "wrapped": lambda text: text.replace(" a ", "\n  a ").replace(" of ", "\n  of "),
    "below another heading": lambda text: text.replace("# Spec", "# Shop\n\n## Spec"),
    "with blanks": lambda text: text.replace("\n", "\n\n"),
}


@given(
    st.permutations(THINGS),
    st.sampled_from(sorted(SHAPES)),
    st.sampled_from(["shop", "store"]),
    st.one_of(st.none(), st.integers(0, len(THINGS) - 1)),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_all_edits_at_once_keep_the_ids_of_untouched_texts(
    order: list[str], shape: str, key: str, rewritten: int | None, is_numbered: bool
) -> None:
    """Permuted, renumbered, re-wrapped, moved, with one requirement new and one rewritten."""
    before = first(numbered(list(THINGS)) if is_numbered else plain(list(THINGS)))
    things = ["zzz nobody has ever said anything of this kind here", *order]
    if rewritten is not None:
        things = [t if t != THINGS[rewritten] else "qqq it is all new words now" for t in things]
    numbers = [f"**REQ-S-{n}**: " if is_numbered else "" for n in range(7, 7 + len(things))]
    text = "# Spec\n\n## Requirements\n\n" + "".join(
        f"- {number}It MUST hold that {t}.\n" for number, t in zip(numbers, things, strict=True)
    )
    path = f"{key}/spec.md"
    edited = read_spec(path, {path: SHAPES[shape](text).encode()})
    after = registered(before.register, edited, "c2", "shop" if key == "store" else None)

    kept = {" ".join(r.statement.split()): r.id for r in after.spec.requirements}
    for said, rid in by_text(before).items():
        if rewritten is None or said != THINGS[rewritten]:
            (found,) = [id_ for statement, id_ in kept.items() if said in statement]
            assert found == rid, (shape, key)


def test_formatting_changes_no_id_and_no_hash() -> None:
    text = "## Requirements\n\n- It MUST count **every** product.\n- It MUST `stop` at once now.\n"
    other = "## Requirements\r\n\r\n*   It MUST count every\r\n    product.\r\n1. It  MUST `stop` at once now.\r\n"
    first_spec = read_spec(PATH, {PATH: text.encode()})
    second = read_spec(PATH, {PATH: other.encode()})
    assert [(r.id, r.text_hash) for r in first_spec.requirements] == [
        (r.id, r.text_hash) for r in second.requirements
    ]
