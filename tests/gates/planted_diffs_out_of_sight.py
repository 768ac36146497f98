"""Diffs by which what a test asserts stands in a part of an object, or behind what is not there, or is said of itself."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff
from tests.gates.planted_diffs_tried import kept, of

_ONE = "    assert price(1) == 5\n"
_GO = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'
_WHOLE = {
    "jest": "    expect(price(1)).toBe(5);\n",
    "go": _GO,
    "rust": "        assert_eq!(price(1), 5);\n",
}
_SAID = {"jest": "expect(price(1)).toBe(5)", "go": _GO, "rust": "assert_eq!(price(1), 5)"}


def _hidden(language: str, loss: Loss, *these: tuple[str, str]) -> list[PlantedDiff]:
    """In a text `@` is the assertion."""
    edits = [(n, _WHOLE[language], t.replace("@", _SAID[language]), loss) for n, t in these]
    return [
        PlantedDiff(one.name.replace("tried", "hidden", 1), one.path, one.before, one.after, loss)
        for one in of(language, *edits)
    ]


def _of_itself(*these: str) -> list[PlantedDiff]:
    edits = [
        (text, _ONE, f"    x = price(1)\n    assert {text}\n", Loss.WEAKENED) for text in these
    ]
    return of("python", *edits)


def _seen(language: str, name: str, text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    return kept(
        language, f"{name} in {language}", _WHOLE[language], text.replace("@", _SAID[language])
    )


_KEPT = "    const check = () => {\n      @;\n    };\n"
_SOME = "open(n)?;\n            @;\n            Some(())\n        }"
_DEF = "    def check():\n        assert price(1) == 5\n\n"


def _looked_at(loss: Loss, *these: str) -> list[PlantedDiff]:
    return of("python", *((text, _ONE, f"{_DEF}    {text}\n", loss) for text in these))


OUT_OF_SIGHT = [
    *_looked_at(Loss.HOLLOW, "print(check)", "repr(check)", "print(f'{check}')"),
    *_looked_at(
        Loss.WEAKENED,
        "assert check is not None",
        "assert callable(check)",
        "assert check.__name__ == 'check'",
    ),
    *_hidden(
        "go",
        Loss.HOLLOW,
        ("its type", "\t_ = reflect.TypeOf(func() {\n@\t})\n"),
        ("how many", "\t_ = len([]func(){func() {\n@\t}})\n"),
    ),
    *_hidden(
        "go",
        Loss.WEAKENED,
        ("one to sort", "\tsort.Slice([]int{1}, func(i, j int) bool {\n@\t\treturn true\n\t})\n"),
    ),
    *_hidden(
        "jest",
        Loss.HOLLOW,
        ("a double for nothing", "    const check = vi.fn(() => {\n      @;\n    });\n"),
    ),
    *_hidden(
        "jest",
        Loss.WEAKENED,
        (
            "a double that is not called",
            "    const check = vi.fn(() => {\n      @;\n    });\n    expect(check).toHaveBeenCalledTimes(0);\n",
        ),
    ),
    *_of_itself(
        "f'{x}' == f'{x!s}'",
        "f'{x}' == str(x)",
        "f'{x}-{x}' == f'{x!s}-{x!s}'",
        "'{}'.format(x) == str(x)",
        "sorted([x]) == [x]",
        "[*[x]] == tuple([x])",
    ),
    *_hidden(
        "jest",
        Loss.HOLLOW,
        ("a method", "    const shop = { check() {\n      @;\n    } };\n"),
        ("a method that waits", "    const shop = { async check() {\n      @;\n    } };\n"),
        ("a method with a type", "    const shop = { check(): void {\n      @;\n    } };\n"),
        ("a method in a list", "    const shops = [{ check() {\n      @;\n    } }];\n"),
        (
            "another method is called",
            "    const shop = { check() {\n      @;\n    }, open() {} };\n    shop.open();\n",
        ),
        (
            "another part is called",
            "    const shop = { check: () => @, open() {} };\n    shop.open();\n",
        ),
        ("a class", "    class Shop {\n      check() {\n        @;\n      }\n    }\n"),
        ("its type at once", "    typeof (() => {\n      @;\n    });\n"),
        ("its keys", f"{_KEPT}    Object.keys(check);\n"),
        ("what it gives", "    (() => () => {\n      @;\n    })();\n"),
    ),
    *_hidden(
        "jest",
        Loss.WEAKENED,
        ("nothing to call", "    undefined?.(@);\n"),
        ("a method of nothing", "    undefined?.shop.check(@);\n"),
        ("what a method of nothing gives", "    undefined?.shop().check(@);\n"),
        ("a part of nothing", "    undefined?.[@];\n"),
        ("its type", f'{_KEPT}    expect(typeof check).toBe("function");\n'),
        ("its name", f'{_KEPT}    expect(check.name).toBe("check");\n'),
        ("its text", f"{_KEPT}    expect(JSON.stringify(check)).toBe(undefined);\n"),
        ("that it is there", f"{_KEPT}    expect(check).toBeDefined();\n"),
        ("that it is not null", f"{_KEPT}    expect(check).not.toBe(null);\n"),
        ("one to sort", "    [1].sort(() => @);\n"),
        ("nothing to replace", '    "a".replace("b", () => @);\n'),
    ),
    *_hidden(
        "rust",
        Loss.HOLLOW,
        ("what it gives", "        let _ = (|| || @)();\n"),
        ("a future that it gives", "        (|| async {\n            @;\n        })();\n"),
        ("for nothing beside another", "        let _ = || @;\n        run(|_| 1);\n"),
        ("what nobody takes", "        let _ = std::iter::repeat_with(|| @);\n"),
    ),
    *_hidden(
        "rust",
        Loss.WEAKENED,
        (
            "it may leave before",
            "        let check = |n: u32| {\n            if n > 1 {\n                return;\n            }\n            @;\n        };\n        check(1);\n",
        ),
        ("behind a question", f"        let _ = (|n: u32| {{\n            {_SOME})(1);\n"),
        (
            "behind a question with a type",
            f"        (move |n: u32| -> Option<()> {{\n            {_SOME})(1).ok();\n",
        ),
        (
            "a name behind a question",
            f"        let check = |n: u32| {{\n            {_SOME};\n        let _ = check(1);\n",
        ),
        (
            "a function behind a question",
            f"        fn check(n: u32) -> Option<()> {{\n            {_SOME}\n        drop(check(1));\n",
        ),
        ("of none", "        None::<u32>.is_some_and(|_| {\n            @;\n            true\n        });\n"),
        ("one to sort", "        [1].sort_by_key(|_| @);\n"),
        ("only for an error", "        let _ = Some(1).ok_or_else(|| @);\n"),
    ),
]  # fmt: skip
_RUST_OPEN = "#[test]\nfn one() {\n    let Some(_n) = open() else {\n        panic!();\n    };\n}\n"
_RUST_OTHERWISE = "#[test]\nfn one() {\n    let _n = open().unwrap_or_else(|| panic!());\n}\n"
_GO_ONE, _GO_TWO = (f"\t\tassert.Equal(t, {5 * n}, Price({n}))\n" for n in (1, 2))
_GO_IF = (
    f"func TestOne(t *testing.T) {{\n\tif Open() {{\n{_GO_ONE}\t}} else {{\n{_GO_TWO}\t}}\n}}\n"
)
_GO_SWITCH = (
    "func TestOne(t *testing.T) {\n\tswitch Open() {\n\tcase true:\n"
    f"{_GO_ONE}\t\treturn\n\tdefault:\n{_GO_TWO}\t}}\n}}\n"
)
HONEST_IN_SIGHT = [
    _seen(
        "jest",
        "a class that asserts as it is made",
        "    class Shop {\n      static {\n        @;\n      }\n    }\n",
    ),
    _seen(
        "jest",
        "a double that is called",
        "    const check = vi.fn(() => {\n      @;\n    });\n    run(check);\n    expect(check).toHaveBeenCalled();\n",
    ),
    kept(
        "python",
        "a class that somebody has from its base",
        _ONE,
        "    class Shop(Base):\n        def check(self):\n            assert price(1) == 5\n\n"
        "    assert isinstance(opened(), Shop)\n",
    ),
    ("it fails in other words in rust", {"tests/shop.rs": (_RUST_OPEN, _RUST_OTHERWISE)}),
    ("either way in go", {"shop_test.go": (_GO_IF, _GO_SWITCH)}),
    kept("python", "a text", _ONE, "    assert f'{price(1)}' == '5'\n    assert price(1) == 5\n"),
    kept("python", "texts of two", _ONE, "    assert f'{price(1)}' == str(total(1))\n"),
    _seen("jest", "a method", "    const shop = { check() {\n      @;\n    } };\n    shop.check();\n"),
    _seen("jest", "handed on with its method", "    run({ check() {\n      @;\n    } });\n"),
    _seen(
        "jest",
        "a method by another",
        "    const shop = { check() {\n      @;\n    }, open() { this[name()](); } };\n    shop.open();\n",
    ),
    _seen(
        "jest",
        "a method for others",
        "    const shop = { ...base, check() {\n      @;\n    } };\n    shop.open();\n",
    ),
    _seen(
        "jest",
        "a method by its name later",
        "    const shop = { check() {\n      @;\n    }, open() {} };\n    shop.open();\n    run(shop.check);\n",
    ),
    _seen(
        "jest",
        "a part by its name later",
        "    const shop = { check: () => @, open() {} };\n    shop.open();\n    run(shop.check);\n",
    ),
    _seen(
        "jest",
        "a class",
        "    class Shop {\n      check() {\n        @;\n      }\n    }\n    new Shop().check();\n",
    ),
    _seen(
        "jest",
        "a text for JSON",
        "    const shop = { toJSON() {\n      @;\n    } };\n    JSON.stringify(shop);\n",
    ),
    _seen("jest", "it does not throw", f"{_KEPT}    expect(check).not.toThrow();\n"),
    _seen("jest", "a call in two lines", "    open()\n    {\n      @;\n    }\n"),
    _seen("jest", "what it gives is called", "    (() => () => {\n      @;\n    })()();\n"),
    _seen("jest", "a part that may not be there", "    open?.();\n    @;\n"),
    _seen("rust", "what it gives is called", "        (|| || @)()();\n"),
    _seen(
        "rust",
        "behind a question that somebody answers",
        f"        (|n: u32| {{\n            {_SOME})(1).unwrap();\n",
    ),
    _seen(
        "rust",
        "a name behind a question that somebody answers",
        f"        let check = |n: u32| {{\n            {_SOME};\n        let _ = check(1);\n        check(1).unwrap();\n",
    ),
    _seen(
        "rust",
        "a function that is handed on behind a question",
        f"        fn check(n: u32) -> Option<()> {{\n            {_SOME}\n        let _ = check(1);\n        let shop = Shop {{ check }};\n",
    ),
    _seen("rust", "a question of another", "        let _ = (|| {\n            open(|n| { n?; n });\n            @;\n        })();\n"),
    _seen("rust", "in front of a question", "        let _ = (|| {\n            @;\n            open()?;\n            Some(())\n        })();\n"),
    _seen("rust", "either of two", "        let _ = (|| {\n            @;\n        })();\n        let _all = A | B;\n        { open()?; }\n"),
]  # fmt: skip
