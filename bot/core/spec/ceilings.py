"""Where a text is too much: a spec that holds one finding in place of what it says."""

from collections.abc import Mapping

from bot.core.spec.roots import key_of
from bot.core.values.ids import Frozen
from bot.core.values.spec_model import Finding, Severity, Spec, SpecDocument, SpecFormat

TOO_COSTLY = "too_costly"
# The plan of one spec stands in the journal, in an issue and in every look; nobody reads a longer one.
REQUIREMENTS_MAX = 5_000
_TEXTS = (".md", ".markdown", ".feature")


class StrangersCaps(Frozen):
    """What a pull from a fork may bring: bytes in one file, requirements in one spec."""

    file_bytes: int
    requirements: int


def too_costly(path: str, why: str) -> Spec:
    """The spec of a text that was not read to its end; it cannot be planned."""
    finding = Finding(
        code=TOO_COSTLY,
        severity=Severity.BLOCK,
        line=1,
        quote="",
        question=f"This is too costly to read: {why}",
        path=path,
    )
    document = SpecDocument(
        path=path,
        format=SpecFormat.UNKNOWN,
        confidence=0.0,
        title="",
        language="en",
        lines=0,
        findings=(finding,),
    )
    return Spec(path=path, key=key_of(path), documents=(document,))


def over_file_cap(path: str, files: Mapping[str, bytes], caps: StrangersCaps) -> Spec | None:
    """The refusal of a stranger's files that are too long, before they are read."""
    texts = [name for name in files if name.lower().endswith(_TEXTS)]
    largest = max(texts, key=lambda name: len(files[name]), default="")
    size = len(files.get(largest, b""))
    if size <= caps.file_bytes:
        return None
    return too_costly(
        path,
        f"{largest} has {size:,} bytes, and in a pull request from a fork a spec file may have "
        f"{caps.file_bytes:,} (`strangers.kilobytes` in the policy). A person with write access "
        "can propose a longer one.",
    )


def over_requirements_cap(spec: Spec, caps: StrangersCaps) -> Spec | None:
    """The refusal of a stranger's spec that asks for too much, before it is planned."""
    count = len(spec.requirements)
    if count <= caps.requirements:
        return None
    return too_costly(
        spec.path,
        f"the spec has {count:,} requirements, and in a pull request from a fork it may have "
        f"{caps.requirements:,} (`strangers.requirements` in the policy). A person with write "
        "access can propose a longer one.",
    )


def over_main_cap(spec: Spec) -> Spec | None:
    """The refusal of a spec on main that asks for more than one plan can hold."""
    count = len(spec.requirements)
    if count <= REQUIREMENTS_MAX:
        return None
    return too_costly(
        spec.path,
        f"the spec has {count:,} requirements, and one spec may have {REQUIREMENTS_MAX:,}. Several specs "
        "can be read.",
    )
