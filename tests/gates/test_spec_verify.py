"""The runner's part of `spec_verify`: which tests name a requirement, and whether they assert."""

import pytest

from gates.asked import Asked, AskedRequirement
from gates.judge import Subject, judge
from gates.proof import ProvingTest, RequirementProof
from gates.result import Ending, GateDefinition, GateResult, Judges
from gates.settings import JudgeSettings
from tests.gates.checkouts import Repository

VERIFY = GateDefinition(name="spec_verify", judges=Judges.CHANGE, builtin="spec_verify")
SUM = AskedRequirement(
    id="shop#REQ-SUM-01", names=("REQ-SUM-01",), scenarios=("Prices add up", "Nothing is bought")
)


def seen(
    repository: Repository, files: dict[str, str], *asked: AskedRequirement
) -> tuple[RequirementProof, ...]:
    return result_of(repository, files, *asked).proof


def result_of(
    repository: Repository, files: dict[str, str], *asked: AskedRequirement
) -> GateResult:
    repository.commit(files)
    settings = JudgeSettings(requirements=asked or (SUM,))
    subject = Subject(repository.folder, repository.base_sha)
    return judge(subject, (VERIFY,), settings, lambda _: None).results[0]


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("tests/test_a.py", 'def test_a():\n    """REQ-SUM-01"""\n    assert f()\n', "test_a"),
        (
            "tests/test_a.py",
            "def test_req_sum_01_adds():\n    assert f()\n",
            "test_req_sum_01_adds",
        ),
        ("tests/test_a.py", "# REQ-SUM-01\ndef test_a():\n    assert f()\n", "test_a"),
        (
            "tests/test_a.py",
            'class TestA:\n    """REQ-SUM-01"""\n\n    def test_a(self):\n        assert f()\n',
            "TestA::test_a",
        ),
        ("a.test.js", 'it("REQ-SUM-01 adds", () => { expect(f()).toBe(1) })', "REQ-SUM-01 adds"),
        (
            "a.test.js",
            'describe("REQ-SUM-01", () => { it("adds", () => { expect(f()).toBe(1) }) })',
            "REQ-SUM-01::adds",
        ),
        (
            "a_test.go",
            "// REQ-SUM-01\nfunc TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
            "TestA",
        ),
        ("src/a.rs", "// REQ-SUM-01\n#[test]\nfn adds() { assert_eq!(f(), 1); }\n", "adds"),
    ],
)
def test_a_test_names_a_requirement(
    repository: Repository, path: str, text: str, name: str
) -> None:
    (proof,) = seen(repository, {path: text})
    assert [(test.path, test.name, test.asserts) for test in proof.tests] == [(path, name, True)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tests/cases.py", 'def test_a():\n    """REQ-SUM-01"""\n    assert f()\n'),
        ("src/shop.py", "# REQ-SUM-01\n"),
        ("tests/test_a.py", "# REQ-SUM-011\ndef test_a():\n    assert f()\n"),
        ("tests/test_a.py", "def test_a():\n    assert f()\n\n\n# REQ-SUM-01\n"),
        ("NOTES.md", "REQ-SUM-01\n"),
    ],
)
def test_text_that_is_not_a_test_of_the_requirement_proves_nothing(
    repository: Repository, path: str, text: str
) -> None:
    (proof,) = seen(repository, {path: text})
    assert proof.tests == ()


@pytest.mark.parametrize(
    "body", ["    f()\n", "    pass\n", "    assert True\n", "    return\n    assert f()\n"]
)
def test_a_test_without_assertions_is_marked(repository: Repository, body: str) -> None:
    (proof,) = seen(repository, {"tests/test_a.py": f"# REQ-SUM-01\ndef test_a():\n{body}"})
    assert [test.asserts for test in proof.tests] == [False]


def test_a_skipped_test_counts_as_without_assertions(repository: Repository) -> None:
    text = "@pytest.mark.{}\ndef test_req_sum_01():\n    assert f()\n".format("skip")
    (proof,) = seen(repository, {"tests/test_a.py": text})
    assert [test.asserts for test in proof.tests] == [False]


def test_a_test_of_main_counts_as_one_of_the_change_does(repository: Repository) -> None:
    repository.commit({"tests/test_a.py": "def test_req_sum_01():\n    assert f()\n"})
    (proof,) = seen(repository, {"src/shop.py": "ONE = 2\n"})
    assert len(proof.tests) == 1


def test_the_words_of_a_test_say_which_text_and_scenario_it_means(repository: Repository) -> None:
    text = 'def test_a():\n    """REQ-SUM-01@1a2b3c4d: prices add up"""\n    assert f()\n'
    (proof,) = seen(repository, {"tests/test_a.py": text})
    assert proof.scenarios == SUM.scenarios
    assert proof.tests == (
        ProvingTest(
            path="tests/test_a.py",
            name="test_a",
            version="1a2b3c4d",
            scenarios=("Prices add up",),
        ),
    )


def test_a_requirement_that_is_removed_needs_no_test(repository: Repository) -> None:
    gone = AskedRequirement(id="shop#X", names=("X-1",), asked=Asked.REMOVED)
    result = result_of(repository, {"a.txt": "x\n"}, gone)
    assert (result.ending, result.proof) == (Ending.PASSED, ())
