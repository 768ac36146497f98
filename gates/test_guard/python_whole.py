"""What a test file in Python does as it is imported, to names of its own and to what all tests use."""

import ast
import posixpath
import re
from collections.abc import Iterator

from gates.test_guard.python_names import dotted, last_name
from gates.test_guard.python_reach import own_nodes

# pytest, `norecursedirs`: folders in which it looks for no tests.
_LEFT_OUT = re.compile(r"(?:\..+|_darcs|build|CVS|dist|node_modules|venv|.*\.egg)")
_OF_TESTS = re.compile(r"(?:^|[._])(?:tests?|fakes?|mocks?|stubs?|dummy|dummies)(?:[._]|$)")
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_ENDS = frozenset({"os._exit", "os.abort"})


def is_left_out_folder(path: str) -> bool:
    """Whether pytest finds no tests there unless it is told to."""
    return any(_LEFT_OUT.fullmatch(part) for part in posixpath.dirname(path).split("/"))


def is_of_tests(module: str) -> bool:
    """Whether a module is one of fakes and helpers, by its name."""
    return _OF_TESTS.search(module) is not None


def bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module gives another meaning, but for functions that it defines."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname or one.name).partition(".")[0] for one in names)
        case ast.ClassDef(name=name):
            yield name
        case _:
            for inner in at_once(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store | ast.Del):
                    yield inner.id


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
                words = {dotted(n) for n in ast.walk(first) if isinstance(n, ast.expr)}
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


def given_to_all(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Names of the file that a function gives another value; to import one again gives the same."""
    inner = list(own_nodes(function))
    said = {name for one in inner if isinstance(one, ast.Global) for name in one.names}
    given = {
        one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    given |= {
        one.name
        for one in ast.walk(function)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return said & given


def put_in_place(tree: ast.Module) -> tuple[tuple[str, int], ...]:
    """What is something else for every test of the run after this file was imported, with its line."""
    imported = {
        (one.asname or one.name).partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, _Scope):
            continue
        for inner in at_once(node):
            for name in _replaced(inner, imported):
                found.setdefault(name, inner.lineno if isinstance(inner, ast.expr) else node.lineno)
        match node:
            case ast.Assign(targets=[ast.Name(id="pytest_plugins")]):
                found.setdefault("pytest_plugins", node.lineno)
            case _:
                pass
    return tuple(found.items())


def _replaced(node: ast.AST, imported: set[str]) -> Iterator[str]:
    match node:
        case ast.Attribute(ctx=ast.Store()) if (name := dotted(node)).partition(".")[0] in imported:
            yield name
        case ast.Subscript(value=value, ctx=ast.Store()) if dotted(value) == "sys.modules":
            yield f"sys.modules[{ast.unparse(node.slice)}]"
        case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), attribute, *_]):
            if name in imported:
                yield f"{name}.{getattr(attribute, 'value', ast.unparse(attribute))}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="object" | "type"), attr="__setattr__")):
            yield ast.unparse(node)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=made), attr="start")):
            if "patch" in dotted(made).split("."):
                yield ast.unparse(node)
        case _:
            pass
