"""What a test file in Python does as it is imported, to names of its own and to what all tests use."""

import ast
import posixpath
import re
import unittest
from collections.abc import Iterator

from gates.test_guard.python_names import dotted, last_name
from gates.test_guard.python_reach import own_nodes
from gates.test_guard.python_walk import walk

# pytest, `norecursedirs`: folders in which it looks for no tests.
_LEFT_OUT = re.compile(r"(?:\..+|_darcs|build|CVS|dist|node_modules|venv|.*\.egg)")
_OF_TESTS = re.compile(r"(?:^|[._])(?:tests?|fakes?|mocks?|stubs?|dummy|dummies)(?:[._]|$)")
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_ENDS = frozenset({"os._exit", "os.abort"})
_IMPORTS_BY = frozenset({"sys.meta_path", "sys.path_hooks"})


def is_left_out_folder(path: str) -> bool:
    """Whether pytest finds no tests there unless it is told to."""
    return any(_LEFT_OUT.fullmatch(part) for part in posixpath.dirname(path).split("/"))


def is_of_tests(module: str) -> bool:
    """Whether a module is one of fakes and helpers, by its name."""
    return _OF_TESTS.search(module) is not None


def bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module or class gives another meaning; `Cart::test_sum` for one of a class.
    Of tests that it defines itself there is nothing.
    """
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.name
            yield from given_to_all(node)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname or one.name).partition(".")[0] for one in names)
        case ast.ClassDef(name=name):
            yield name
        case _:
            for inner in at_once(node):
                yield from _bound_at(inner)


def _bound_at(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Attribute(attr=str(name), ctx=ast.Store() | ast.Del()) if owner := dotted(
            node.value
        ):
            yield f"{owner.replace('.', '::')}::{name}"
        case ast.Call(
            func=ast.Name(id="setattr" | "delattr"),
            args=[ast.Name(id=owner), ast.Constant(value=str(name)), *_],
        ):
            yield f"{owner}::{name}"
        case _:
            pass


def at_once(node: ast.AST) -> Iterator[ast.AST]:
    """What a statement does itself, not what its functions would do."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _Scope):
            yield from at_once(child)


def changes_names(node: ast.stmt) -> bool:
    """Whether it may take tests out of the module by their names, or ends the run at its end."""
    for one in at_once(node):
        match one:
            case ast.Call(func=func) if last_name(func) in {"globals", "vars", "exec"}:
                return True
            case ast.Call(func=func, args=[ast.expr() as first, *_]) if last_name(func) in {
                "setattr",
                "delattr",
            }:
                words = {dotted(n) for n in walk(first) if isinstance(n, ast.expr)}
                if words & {
                    "sys.modules",
                    "__import__",
                    "import_module",
                    "importlib.import_module",
                }:
                    return True
            case ast.Attribute() if dotted(one) in _ENDS:
                return True
            case _:
                pass
    return False


def names_given_to_classes(tree: ast.Module) -> frozenset[str]:
    """Names of tests that functions give something else: a decorator of a class, `__init_subclass__`."""
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Store()):
                found |= {name} if name.startswith("test") and owner != "self" else set()
            case ast.Call(
                func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), *_]
            ) if name.startswith("test"):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def given_to_all(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names of the file that a function gives another value; to import one again gives the same."""
    inner = list(own_nodes(function))
    said = {name for one in inner if isinstance(one, ast.Global) for name in one.names}
    given = {
        one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    given |= {
        one.name
        for one in walk(function)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return said & given


def _is_names_of(node: ast.expr) -> bool:
    """`globals()`, `vars(shop)` and `shop.__dict__`."""
    match node:
        case ast.Call(func=func):
            return last_name(func) in {"globals", "vars", "locals"}
        case ast.Attribute(attr="__dict__"):
            return True
        case _:
            return False


# What a function runs, and by what.
_OF_A_FUNCTION = frozenset(
    {"__code__", "__call__", "__defaults__", "__kwdefaults__", "__globals__"}
)


def swapped_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Names that a function gives another meaning through a dictionary of names, or from inside."""
    for inner in walk(function):
        match inner:
            case ast.Subscript(value=of, slice=ast.Constant(value=str(name)), ctx=ast.Store()):
                if _is_names_of(of):
                    yield name
            case ast.Call(
                func=ast.Attribute(value=of, attr="update" | "setdefault" | "__setitem__"),
                args=given,
                keywords=named,
            ) if _is_names_of(of):
                yield from (one.arg for one in named if one.arg)
                texts = (n.value for one in given for n in walk(one) if isinstance(n, ast.Constant))
                yield from (text for text in texts if isinstance(text, str))
            case ast.Call(
                func=func,
                args=[ast.Call() | ast.Attribute() as of, ast.Constant(value=str(name)), *_],
            ):
                if last_name(func) == "setitem" and _is_names_of(of):
                    yield name
            case ast.Attribute(value=of, attr=attr, ctx=ast.Store()) if attr in _OF_A_FUNCTION:
                yield last_name(of)
            case _:
                pass


def put_in_place(tree: ast.Module) -> tuple[tuple[str, int], ...]:
    """What is something else for every test of the run after this file was imported, with its line."""
    imported = {
        (one.asname or one.name).partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    found: dict[str, int] = {}
    for node in walk(tree):
        if name := _of_python(node):
            found.setdefault(name, getattr(node, "lineno", 1))
    for node in tree.body:
        for inner in at_once(node) if not isinstance(node, _Scope) else ():
            for name in _replaced(inner, imported):
                found.setdefault(name, inner.lineno if isinstance(inner, ast.expr) else node.lineno)
        match node:
            case ast.ClassDef():
                for name, line in _machinery(node):
                    found.setdefault(f"{node.name}.{name}", line)
            case ast.FunctionDef(name="load_tests", args=ast.arguments(args=[_, given, *_])) if (
                not any(isinstance(n, ast.Name) and n.id == given.arg for n in walk(node))
            ):
                found.setdefault("load_tests", node.lineno)
            case ast.Assign(targets=[ast.Name(id="pytest_plugins")]):
                found.setdefault("pytest_plugins", node.lineno)
            case _:
                pass
    return tuple(found.items())


_ASSERTING = frozenset({"AssertionError", "BaseException", "Exception", "isinstance", "all", "any"})


def _of_python(node: ast.AST) -> str:
    """What of Python itself gets another meaning, wherever that stands: tests assert by it."""
    match node:
        case ast.Attribute(value=ast.Name(id="builtins"), attr=name, ctx=ast.Store()):
            return f"builtins.{name}" if name in _ASSERTING else ""
        case ast.Call(
            func=ast.Name(id="setattr"),
            args=[ast.Name(id="builtins"), ast.Constant(value=str(name)), *_],
        ):
            return f"builtins.{name}" if name in _ASSERTING else ""
        case _:
            return ""


# What runs a test of unittest, or says how it went.
_MACHINERY = frozenset(
    {"run", "debug", "failureException", "__call__", "__getattribute__", "_outcome"}
    | {"_callTestMethod", "_feedErrorsToResult"}
)
_ASSERTS = frozenset(name for name in dir(unittest.TestCase) if name.startswith(("assert", "fail")))


def _machinery(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """What a class of tests makes something else of unittest's own, with its line."""
    if not any(_TEST_CASE.search(last_name(base)) for base in node.bases):
        return
    for one in node.body:
        names = list(bound(one)) if isinstance(one, ast.Assign | ast.AnnAssign) else []
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [one.name]
            for inner in walk(one):
                match inner:
                    case ast.Attribute(value=ast.Name(id="self"), attr="_outcome" as name):
                        yield name, inner.lineno
                    case ast.Call(func=ast.Attribute(attr="addTypeEqualityFunc", value=_)):
                        if any(isinstance(given, ast.Lambda) for given in inner.args):
                            yield "addTypeEqualityFunc", inner.lineno
                    case _:
                        pass
            # One that goes on to unittest's own says as much.
            if any(isinstance(n, ast.Call) and last_name(n) == "super" for n in walk(one)) and (
                one.name != "__getattribute__"
            ):
                continue
        yield from ((name, one.lineno) for name in names if name in _MACHINERY | _ASSERTS)


_TEST_CASE = re.compile(r"TestCase$")


def _replaced(node: ast.AST, imported: set[str]) -> Iterator[str]:
    match node:
        case ast.Attribute(ctx=ast.Store()) if (name := dotted(node)).partition(".")[0] in imported:
            yield name
        case ast.Subscript(value=value, ctx=ast.Store()) if dotted(value) == "sys.modules":
            yield f"sys.modules[{ast.unparse(node.slice)}]"
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), attribute, *_]):
            if name in imported:
                yield f"{name}.{getattr(attribute, 'value', ast.unparse(attribute))}"
        case ast.Call(
            func=ast.Attribute(value=of, attr="setdefault" | "update" | "__setitem__")
        ) if dotted(of) == "sys.modules":
            yield "sys.modules"
        case ast.Call(func=ast.Attribute(value=of, attr="load_profile")) if (
            last_name(of) == "settings"
        ):
            yield "how many examples are tried (settings)"
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as of)) if dotted(of) in _IMPORTS_BY:
            yield dotted(of)
        case (
            ast.Call(func=ast.Attribute(value=of, attr="update"))
            | ast.Subscript(value=of, ctx=ast.Store())
        ) if _is_names_of(of) and {n.id for n in walk(of) if isinstance(n, ast.Name)} & imported:
            yield ast.unparse(of)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="object" | "type"), attr="__setattr__")):
            yield ast.unparse(node)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=made), attr="start")):
            if "patch" in dotted(made).split("."):
                yield ast.unparse(node)
        case _:
            pass


def equal_to_all(tree: ast.Module) -> Iterator[str]:
    """Names of the classes of a file that say themselves what they equal."""
    for node in walk(tree):
        match node:
            case ast.ClassDef() if _says_what_it_equals(node):
                yield node.name
            case ast.Call(func=ast.Call(func=ast.Name(id="type"), args=[_, _, ast.Dict() as made])):
                if _is_calm_equality(made):
                    yield "type"
            case _:
                pass


def _is_calm_equality(made: ast.Dict) -> bool:
    """`{"__eq__": lambda …}`."""
    return any(isinstance(k, ast.Constant) and k.value == "__eq__" for k in made.keys)


def _says_what_it_equals(node: ast.ClassDef) -> bool:
    return any(
        isinstance(one, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "__eq__" for t in one.targets)
        and isinstance(one.value, ast.Lambda)
        for one in node.body
    ) or any(
        isinstance(one, ast.FunctionDef) and one.name == "__eq__" and _looks_at_one_alone(one)
        for one in node.body
    )


def _looks_at_one_alone(equality: ast.FunctionDef) -> bool:
    """Whether an answer of an equality has nothing of the object itself: a constant, or the other's type."""
    own = equality.args.args[0].arg if equality.args.args else ""
    answers = [one.value for one in walk(equality) if isinstance(one, ast.Return) and one.value]
    given = {
        name.id
        for one in walk(equality)
        if isinstance(one, ast.Assign)
        for target in one.targets
        for name in walk(target)
        if isinstance(name, ast.Name)
    }
    looks = [
        {n.id for n in walk(one) if isinstance(n, ast.Name)} & {own, *given} for one in answers
    ]
    free = [one for one, seen in zip(answers, looks, strict=True) if not seen]
    return any(isinstance(one, ast.Constant) and one.value is not False for one in free) or (
        bool(free) and not any(looks) and not all(map(_is_no, free))
    )


def _is_no(answer: ast.expr) -> bool:
    return (isinstance(answer, ast.Constant) and answer.value is False) or last_name(
        answer
    ) == "NotImplemented"
