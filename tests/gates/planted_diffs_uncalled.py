"""Diffs by which what a test asserts stands in a function that nobody calls, or behind a statement that leaves its block."""

from gates.test_guard.compare import Loss
from tests.gates.planted_diffs import PlantedDiff
from tests.gates.planted_diffs_tried import kept, of

_JEST = "    expect(price(1)).toBe(5);\n"
_GO = '\tif Price(1) != 5 {\n\t\tt.Fatal("one")\n\t}\n'
_RUST = "        assert_eq!(price(1), 5);\n"
_SAID = {"jest": "expect(price(1)).toBe(5)", "go": _GO, "rust": "assert_eq!(price(1), 5)"}
_WHOLE = {"jest": _JEST, "go": _GO, "rust": _RUST}


def _uncalled(
    language: str, *these: tuple[str, str], loss: Loss = Loss.HOLLOW
) -> list[PlantedDiff]:
    """In a text `@` is the assertion."""
    edits = [(n, _WHOLE[language], t.replace("@", _SAID[language]), loss) for n, t in these]
    return [
        PlantedDiff(one.name.replace("tried", "uncalled", 1), one.path, one.before, one.after, loss)
        for one in of(language, *edits)
    ]


def _called(language: str, name: str, text: str) -> tuple[str, dict[str, tuple[str, str]]]:
    return kept(
        language, f"{name} in {language}", _WHOLE[language], text.replace("@", _SAID[language])
    )


def _by_macro(
    language: str, name: str, macro: str, call: str
) -> tuple[str, dict[str, tuple[str, str]]]:
    """The assertion is given to a macro of the file."""
    ((path, (before, after)),) = _called(language, name, f"        {call};\n")[1].items()
    return name, {path: (before, f"macro_rules! by {{\n    {macro};\n}}\n\n{after}")}


def _thrown_away(name: str, macro: str) -> PlantedDiff:
    ((path, (before, after)),) = _by_macro("rust", name, macro, "by!(@)")[1].items()
    return PlantedDiff(f"uncalled rust: {name}", path, before, after, Loss.SKIPPED)


_ONCE = "\tvar once sync.Once\n"
UNCALLED = [
    *_uncalled(
        "rust",
        ("a statement of its own", "        || @;\n"),
        ("with a type", "        let check: fn() = || @;\n"),
        ("in a box", "        let check = Box::new(move || @);\n"),
        ("dropped by name", "        let check = || @;\n        drop(check);\n"),
        ("dropped at once", "        drop(|| @);\n"),
        ("borrowed for nothing", "        let check = || @;\n        let _ = &check;\n"),
        ("another name", "        let check = |n: u32| @;\n        let _other = check;\n"),
        (
            "a function for nothing",
            "        fn check() {\n            @;\n        }\n        let _ = check;\n",
        ),
        ("in a list", "        let all = vec![|| @];\n"),
        ("for each that nobody takes", "        let _ = [1].iter().map(|n| @);\n"),
        (
            "behind a return",
            "        let check = || {\n            return;\n            @;\n        };\n        check();\n",
        ),
        (
            "it means something else",
            "        let mut check: fn() = || @;\n        check = || ();\n        check();\n",
        ),
    ),
    *_uncalled(
        "rust", ("only otherwise", "        Some(()).unwrap_or_else(|| @);\n"), loss=Loss.WEAKENED
    ),
    *_uncalled(
        "go",
        ("for nothing", "\tcheck := func() {\n@\t}\n\t_ = check\n"),
        (
            "one of several for nothing",
            "\tdo, check := once.Do, func() {\n@\t}\n\t_, _ = do, check\n",
        ),
        ("given later", "\tvar check func()\n\tcheck = func() {\n@\t}\n\t_ = check\n"),
        ("a second time", f"{_ONCE}\tonce.Do(func() {{}})\n\tonce.Do(func() {{\n@\t}})\n"),
        ("once, if ever", "\tcheck := sync.OnceFunc(func() {\n@\t})\n\t_ = check\n"),
        ("in a list", "\tchecks := []func(){func() {\n@\t}}\n\t_ = checks\n"),
        ("a part of something", "\tshop := Shop{Check: func() {\n@\t}}\n\t_ = shop\n"),
        ("only printed", "\tcheck := func() {\n@\t}\n\tfmt.Println(check)\n"),
        (
            "only compared",
            "\tcheck := func() {\n@\t}\n\tif check == nil {\n\t\tlog.Print(1)\n\t}\n",
        ),
        ("behind a return", "\tcheck := func() {\n\t\treturn\n@\t}\n\tcheck()\n"),
        (
            "behind a value",
            "\tcheck := func() bool {\n\t\treturn true\n@\t\treturn true\n\t}\n\tcheck()\n",
        ),
        ("behind a return in a run", '\tt.Run("one", func(t *testing.T) {\n\t\treturn\n@\t})\n'),
        ("behind a continue", "\tfor range 3 {\n\t\tlog.Print(1)\n\t\tcontinue\n@\t}\n"),
        ("behind a return of a case", "\tswitch {\n\tdefault:\n\t\treturn\n@\t}\n"),
    ),
    *_uncalled(
        "jest",
        ("for nothing", "    const check = () => {\n      @;\n    };\n    void check;\n"),
        ("in a list", "    const checks = [() => {\n      @;\n    }];\n"),
        ("a part of something", "    const shop = { check: () => @ };\n"),
        ("only logged", "    const check = () => @;\n    console.log(check);\n"),
        ("behind a value", "    return true;\n    @;\n"),
        (
            "behind a return",
            "    const check = () => {\n      return;\n      @;\n    };\n    check();\n",
        ),
        (
            "it means something else",
            "    let check = () => @;\n    check = () => {};\n    check();\n",
        ),
    ),
]
UNCALLED += [
    *_uncalled(
        "rust",
        ("a future with a name", "        let _later = async {\n            @;\n        };\n"),
        (
            "lazy, if ever",
            "        static ONE: LazyLock<()> = LazyLock::new(|| @);\n",
        ),
    ),
    *_uncalled(
        "rust",
        (
            "behind a let that leaves",
            "        let Some(_n) = None::<u32> else {\n            return;\n        };\n        @;\n",
        ),
        loss=Loss.WEAKENED,
    ),
    *_uncalled(
        "go",
        ("in an hour", "\ttime.AfterFunc(time.Hour, func() {\n@\t})\n"),
        ("a group of none", "\tvar all sync.WaitGroup\n\tgo func() {\n@\t}()\n\tall.Wait()\n"),
    ),
    *_uncalled("jest", ("bound for nothing", "    (() => {\n      @;\n    }).bind(null);\n")),
    _thrown_away("a macro for nothing", "($($t:tt)*) => {}"),
    _thrown_away("a macro for its text", "($e:expr) => {\n        let _ = stringify!($e);\n    }"),
    _thrown_away("a macro that calls nothing", "($e:expr) => {\n        let _ = || $e;\n    }"),
    _thrown_away(
        "a macro that catches", "($e:expr) => {\n        let _ = catch_unwind(|| $e);\n    }"
    ),
    _thrown_away("an arm of a macro", "($a:literal; $e:expr) => { $e };\n    ($($t:tt)*) => {}"),
]
HONEST_UNCALLED = [
    _called(
        "rust",
        "a future",
        "        let later = async {\n            @;\n        };\n        block_on(later);\n",
    ),
    _called(
        "rust",
        "a future that is waited for",
        "        async move {\n            @;\n        }\n        .await;\n",
    ),
    _called(
        "rust", "lazy", "        static ONE: LazyLock<()> = LazyLock::new(|| @);\n        *ONE;\n"
    ),
    _called(
        "rust",
        "a let that fails",
        "        let Some(_n) = open() else {\n            panic!();\n        };\n        @;\n",
    ),
    _called(
        "go",
        "a group",
        "\tvar all sync.WaitGroup\n\tall.Add(1)\n\tgo func() {\n@\t}()\n\tall.Wait()\n",
    ),
    _called("jest", "it is bound", "    run((() => {\n      @;\n    }).bind(null));\n"),
    _by_macro(
        "rust",
        "a macro that goes on",
        "($e:expr) => {\n        log();\n        $e;\n    }",
        "by!(@)",
    ),
    _by_macro(
        "rust",
        "a macro that asserts",
        "($a:expr, $b:expr) => {\n        assert_eq!($a, $b)\n    }",
        "by!(price(1), 5)",
    ),
    _called("rust", "a closure that is called", "        let check = || @;\n        check();\n"),
    _called(
        "rust",
        "a closure that is handed on",
        "        let check = |n: &u32| @;\n        [1].iter().for_each(check);\n",
    ),
    _called("rust", "a closure at once", "        (|| @)();\n"),
    _called("rust", "a closure for what runs it", "        with_shop(|| @);\n"),
    _called("rust", "all that are taken", "        [1].iter().map(|n| @).count();\n"),
    _called(
        "rust",
        "functions in a list",
        "        for one in [|| @] {\n            one();\n        }\n",
    ),
    _called("rust", "a boxed one", "        let check = Box::new(|| @);\n        check();\n"),
    _called(
        "rust", "it tells why", '        @;\n        open().unwrap_or_else(|e| panic!("{e}"));\n'
    ),
    _called(
        "rust",
        "it leaves under a condition",
        "        let check = |n: u32| {\n            @;\n            if n > 1 {\n                return;\n            }\n        };\n        check(1);\n",
    ),
    _called(
        "rust",
        "a function below",
        "        check();\n        return;\n        fn check() {\n            @;\n        }\n",
    ),
    _called("go", "a function that is called", "\tcheck := func() {\n@\t}\n\tcheck()\n"),
    _called("go", "a function that is deferred", "\tcheck := func() {\n@\t}\n\tdefer check()\n"),
    _called("go", "once", f"{_ONCE}\tonce.Do(func() {{\n@\t}})\n"),
    _called("go", "twice", f"{_ONCE}\tonce.Do(func() {{\n@\t}})\n\tonce.Do(func() {{}})\n"),
    _called("go", "a field of the file's own", "\tcheck = func() {\n@\t}\n\trun()\n"),
    _called(
        "go",
        "functions in a list",
        "\tchecks := []func(){func() {\n@\t}}\n\tfor _, check := range checks {\n\t\tcheck()\n\t}\n",
    ),
    _called("go", "a part of a shop", "\tshop := Shop{Check: func() {\n@\t}}\n\tshop.Open()\n"),
    _called(
        "go",
        "another case",
        "\tswitch Open() {\n\tcase false:\n\t\treturn\n\tdefault:\n@\t\treturn\n\t}\n@",
    ),
    _called(
        "jest",
        "an attribute",
        "    render(\n      <Shop\n        onOpen={() => {\n          @;\n        }}\n      />\n    );\n",
    ),
    _called(
        "jest",
        "a function below",
        "    check();\n    return;\n    function check() {\n      @;\n    }\n",
    ),
    _called(
        "jest",
        "it means another one later",
        "    let check = () => @;\n    check();\n    check = () => {};\n",
    ),
    _called("jest", "it is set around", "    onOpen = () => @;\n    open();\n"),
    _called("jest", "a return in two lines", "    return price(1),\n      @;\n"),
    _called(
        "jest",
        "under a condition without a block",
        "    if (!price(1))\n      return\n    @;\n    @;\n",
    ),
]
