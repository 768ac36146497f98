"""`headgate selftest OWNER/REPO`: what held on a real installation, what did not, and the fix."""

import json
import time

from rich.text import Text

from bot.core.talk import selftest_text, setup_text
from bot.core.values.selftest import Held
from bot.entry.local_journal import open_journal, repositories_named
from bot.entry.settings import Settings
from bot.entry.terminal import Terminal
from bot.entry.wiring import make_ports, prepare_store
from bot.shell.observe import Observer
from bot.shell.selftest import SelfTest


def run_selftest(full_name: str, as_json: bool) -> int:
    """0: everything held; 1: something did not; 2: this server does not know the repository."""
    settings = Settings()
    complain = Terminal(stderr=True, soft_wrap=True, highlight=False)
    if not settings.has_app:
        complain.print(setup_text.NO_APP)
        return 2
    prepare_store(settings)
    journal = open_journal()
    known = repositories_named(journal, full_name)
    state = journal.load(known[0]) if full_name and known else None
    if state is None or state.facts is None or state.main is None:
        complain.print(selftest_text.not_installed(full_name))
        return 2
    ports = make_ports(settings, "selftest")
    policy = Observer(ports).policy_at(state.facts, state, state.main)
    lines = SelfTest(ports, state.facts, policy, time.sleep).run()
    if as_json:
        Terminal(soft_wrap=True).print_json(json.dumps([one.model_dump() for one in lines]))
    else:
        console = Terminal(soft_wrap=True, highlight=False)
        for one in lines:
            console.print(Text(f"{one.held:>12}  {one.name}{': ' if one.says else ''}{one.says}"))
            if one.fix:
                console.print(Text(f"{'':>12}  → {one.fix}"))
    return 0 if all(one.held is Held.YES for one in lines) else 1
