"""The gate `secrets`: which keys a change brings in, and what a person may mark as made up."""

import pytest

from gates.judge import Subject, judge
from gates.result import Ending, GateDefinition, GateResult, Judges
from gates.secret_rules import new_secret
from gates.secrets_gate import ALLOWED
from gates.settings import JudgeSettings
from tests.gates.checkouts import Repository
from tests.testkit.imports import imported_by
from tests.testkit.linear import grows_with_the_text

SECRETS = GateDefinition(name="secrets", judges=Judges.DIFF, builtin="secrets")
# Written in two halves, so that no scanner takes this file for a leak.
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----\n"


def said(repository: Repository, *, is_of_person: bool = True) -> GateResult:
    subject = Subject(repository.folder, repository.base_sha)
    settings = JudgeSettings(is_of_person=is_of_person)
    return judge(subject, (SECRETS,), settings, lambda _: None).results[0]


@pytest.mark.attack(
    "A file of many thousands of keys that main has already, which takes the server minutes to look through",
    held="`gates.secret_rules.new_secret`: keys of before are a set",
)
def test_a_file_of_keys_is_looked_through_in_linear_time() -> None:
    few, many = (
        "\n".join(f"{AWS[:4]}{number:016d}" for number in range(count)) for count in (4_000, 32_000)
    )

    def look(keys: str) -> None:
        assert new_secret(keys.encode(), keys.__str__) == ""

    assert grows_with_the_text(look, few, many)
    assert new_secret(f"a\n{many}\n{AWS}".encode(), lambda: many) == (
        "holds a secret (AWS Access Key in line 32002)"
    )


@pytest.mark.parametrize("is_of_person", [True, False])
@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"src/calc.py": f'ONE = 1\nKEY = "{AWS}"\n'}, [("src/calc.py", 2, "AWS Access Key")]),
        ({".env": f"T={GITHUB}\n"}, [(".env", 1, "GitHub Token")]),
        (
            {"a.py": f"a\n# {AWS}\n\n# {AWS}\n"},
            [("a.py", 2, "AWS Access Key"), ("a.py", 4, "AWS Access Key")],
        ),
        ({"d/id.pem": f"{PEM}MIIE\n"}, [("d/id.pem", 1, "Private Key")]),
        ({"w.txt": f"\nk={AWS}\n".encode("utf-16")}, [("w.txt", 2, "AWS Access Key")]),
        ({"lines.txt": f"one\r\n{AWS}\r\n"}, [("lines.txt", 2, "AWS Access Key")]),
        ({"lib.bin": b"\0\1\2" + AWS.encode() + b"\xff"}, [("lib.bin", 1, "AWS Access Key")]),
        ({"src/calc.py": 'PASSWORD = "hunter2-but-longer"\n'}, []),
        ({"package-lock.json": '"integrity": "sha512-' + "Ab3" * 28 + '=="\n'}, []),
    ],
)
def test_a_key_that_is_added_is_red_at_its_line(
    repository: Repository,
    files: dict[str, str | bytes],
    places: list[tuple[str, int, str]],
    is_of_person: bool,
) -> None:
    for path, content in files.items():
        repository.write(path, content)
    repository.commit()
    result = said(repository, is_of_person=is_of_person)
    found = {(a.path, a.line_start, a.title) for a in result.annotations}
    assert found >= set(places), result.sentence
    assert bool(found) is bool(places)
    assert result.ending is (Ending.FAILED if places else Ending.PASSED)
    for secret in (AWS, GITHUB):
        assert secret not in repr(result)


def test_a_secret_that_is_already_on_base_is_not_reported(repository: Repository) -> None:
    text = f"one\nkey = {AWS}\n"
    repository.base_sha = repository.commit({"a.txt": text, "old/b.txt": text})
    (repository.folder / "old/b.txt").unlink()
    repository.commit({"a.txt": f"zero\n{text}three\n", "new/b.txt": f"{text}more\n"})
    assert said(repository).ending is Ending.PASSED


def test_another_private_key_in_its_place_is_found(repository: Repository) -> None:
    repository.base_sha = repository.commit({"id.pem": f"{PEM}{'MIIEowAB' * 8}\n"})
    repository.commit({"id.pem": f"{PEM}{'MIIEpQCD' * 8}\n"})
    assert said(repository).ending is Ending.FAILED


def test_a_removed_key_is_not_reported(repository: Repository) -> None:
    repository.base_sha = repository.commit({"a.txt": f"{AWS}\n", "b.txt": f"{GITHUB}\n"})
    (repository.folder / "b.txt").unlink()
    repository.commit({"a.txt": "nothing\n"})
    assert said(repository).ending is Ending.PASSED


def test_a_person_may_mark_the_line_of_a_made_up_key(repository: Repository) -> None:
    repository.commit({"tests/keys.py": f'KEY = "{AWS}"  # {ALLOWED}\n'})
    result = said(repository)
    assert result.ending is Ending.PASSED
    assert f"1 marked `{ALLOWED}`: tests/keys.py:1." in result.sentence
    assert said(repository, is_of_person=False).ending is Ending.FAILED


def test_a_mark_is_for_its_own_line(repository: Repository) -> None:
    repository.commit({"a.py": f'# {ALLOWED}\nKEY = "{AWS}"\n# {ALLOWED}\n'})
    assert said(repository).ending is Ending.FAILED


def test_files_too_large_to_scan_are_named(repository: Repository) -> None:
    repository.commit({"big.txt": "x" * 4_200_000, "a.txt": "y\n"})
    result = said(repository)
    assert "No secret in 1 changed file. 1 too large to be searched: big.txt." in (result.sentence)


def test_other_gates_start_without_its_rules() -> None:
    assert "gates.secret_rules" not in imported_by("import gates.registry")
