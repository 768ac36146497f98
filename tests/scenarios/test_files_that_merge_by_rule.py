"""A command of the policy regenerates lock files in conflict, on a runner, with real git."""

import subprocess
from pathlib import Path

from action.order import AgentOrder
from tests.testkit.house import House
from tests.testkit.runner import writes_a_file
from tests.testkit.specs import requirement, spec

LOCK = "shop.lock"
# As a tool for packages does: what is wanted, in one line.
LINE = "cat wanted/* | paste -sd' ' - >shop.lock && echo aside >>aside.txt"
RULE = f'merge:\n  {LOCK}:\n    run: "{LINE}"\n'


def wants_a_package(order: AgentOrder, tree: Path) -> None:
    """The agent adds a package and its lock; a command's order runs its lines."""
    if not order.remake:
        writes_a_file(order, tree)
        wanted = tree / "wanted"
        wanted.mkdir(exist_ok=True)
        (wanted / order.change).write_text(f"{order.change}\n")
    for line in [one.run for one in order.remake] or [LINE]:
        subprocess.run(["sh", "-c", line], cwd=tree, check=True)


def test_two_changes_that_lock_packages_both_land_without_another_agent(shop: House) -> None:
    policy = shop.main_files()[".github/headgate.yml"]
    shop.push(
        {".github/headgate.yml": f"{policy.rstrip()}\n{RULE}", LOCK: "nothing\n"}, "Lock packages"
    )
    shop.settle()
    shop.work()
    shop.runner.agent = wants_a_package
    shop.start(spec(requirement("TILL"), requirement("CART")))
    shop.work()

    files = shop.main_files()
    names = sorted(Path(path).name for path in files if path.startswith("wanted/"))
    assert len(names) == 2
    assert sorted(files[LOCK].split()) == names
    assert files["aside.txt"] == "aside", "nothing else that the command made is taken"
    orders = [o for o in shop.runner.taken if isinstance(o, AgentOrder)]
    assert [bool(o.remake) for o in orders].count(True) == 1
    assert len(orders) == 3
