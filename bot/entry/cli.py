"""The command line. A command reads its options, calls one function and exits with 0 (good),
1 (not good) or 2 (wrong usage). Imports happen inside commands, so that `--help` is quick.
"""

import atexit
import gc
from pathlib import Path
from typing import Annotated

import typer

from bot.entry.console import JsonFlag, become_action, print_version, told
from bot.entry.help_page import CommandGroup
from bot.entry.jobs import Jobs
from bot.entry.spec_cli import specs

app = typer.Typer(
    name="headgate",
    cls=CommandGroup,
    help="Headgate turns committed specs into gated, merged code.",
    epilog="To try it, run `headgate demo`. To connect it to GitHub, run `headgate setup`.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Help in colours is two thirds of the time of `--help`.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_PORT_MAX = 65535
# Python's own is 700: so many more objects than before make it look for garbage.
_NEW_OBJECTS_MAX = 10_000


def main() -> None:
    """The console script."""
    # Imports make objects and hardly any garbage; what is there at the end goes with the process.
    # The collector took a tenth of a command's time, and as much once more at its end.
    gc.set_threshold(_NEW_OBJECTS_MAX)
    atexit.register(gc.freeze)
    told(app)


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=print_version, help="Print the version."),
    ] = False,
) -> None:
    """Headgate turns committed specs into gated, merged code."""


@app.command()
def up() -> None:
    """Start everything on this machine, and keep it running until Ctrl-C."""
    from bot.entry.commands.processes import run_up

    raise typer.Exit(run_up())


@app.command()
def setup(
    github: Annotated[
        str, typer.Option(help="Address of a GitHub Enterprise Server; default: github.com.")
    ] = "",
    organization: Annotated[
        str, typer.Option(help="The organisation that owns the App; default: your account.")
    ] = "",
    name: Annotated[str, typer.Option(help="Name of the App; default: a new one.")] = "",
    webhook_address: Annotated[
        str,
        typer.Option(
            "--webhook", help="Public address of this server; default: an App without a webhook."
        ),
    ] = "",
    wait_minutes: Annotated[int, typer.Option(min=0, help="Seconds to wait for you.")] = 60,
) -> None:
    """Make the GitHub App in your browser, write its keys to the settings file, and install it."""
    from bot.entry.commands.setup import SetupOptions, run_setup

    options = SetupOptions(github, organization, name, webhook_address, wait_minutes)
    raise typer.Exit(run_setup(options))


@app.command()
def webhook(
    url: Annotated[str, typer.Argument(help="Public address of this server, https://…")],
    new_secret: Annotated[
        bool, typer.Option("--new-secret", help="Make a new secret even if there already is one.")
    ] = False,
) -> None:
    """Give the App's webhook an address and a secret, so that GitHub notifies this server at once."""
    from bot.entry.commands.webhook import run_webhook

    raise typer.Exit(run_webhook(url, new_secret=new_secret))


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="A clone of the repository.")] = Path(),
) -> None:
    """Write the two workflow files into a clone, and a first policy if it has none."""
    from bot.entry.commands.init import run_init

    raise typer.Exit(run_init(folder))


@app.command()
def backup(
    folder: Annotated[Path, typer.Argument(help="A folder that does not exist yet.")],
) -> None:
    """Copy what the server keeps, while it runs."""
    from bot.entry.commands.backup import run_backup

    raise typer.Exit(run_backup(folder))


@app.command()
def restored() -> None:
    """Mark the journal as an older copy: after a backup was restored, before the server starts."""
    from bot.entry.commands.backup import run_restored

    raise typer.Exit(run_restored())


@app.command()
def selftest(
    repository: Annotated[str, typer.Argument(help="OWNER/REPO, where the App is installed.")],
    as_json: JsonFlag = False,
) -> None:
    """Try on a repository what Headgate needs of GitHub and of a runner, without a model."""
    from bot.entry.commands.selftest import run_selftest

    raise typer.Exit(run_selftest(repository, as_json))


@app.command()
def serve() -> None:
    """Run the web server: the webhook and the runners' API."""
    from bot.entry.commands.processes import run_serve

    run_serve()


@app.command()
def worker(
    jobs: Annotated[
        Jobs,
        typer.Argument(
            help="Which work to do: what people wait for, readings of texts, or both in this order."
        ),
    ] = Jobs.ALL,
) -> None:
    """Run one worker: it reads deliveries and reconciles repositories, or reads the texts of specs and pulls."""
    from bot.entry.commands.processes import run_worker

    run_worker(jobs)


@app.command()
def sweep() -> None:
    """Run the sweep: it looks for due work regularly, without webhooks or Redis."""
    from bot.entry.commands.processes import run_sweep

    run_sweep()


@app.command()
def gateway() -> None:
    """Run the model gateway: agents' runs ask the model through it, and the key stays here."""
    from bot.entry.commands.processes import run_gateway

    run_gateway()


@app.command()
def localhub(  # noqa: PLR0913 - one parameter an option
    seed: Annotated[Path, typer.Option(help="YAML file of users, repositories and Apps.")],
    port: Annotated[
        int, typer.Option(min=0, max=_PORT_MAX, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 8470,
    folder: Annotated[
        Path | None, typer.Option(help="Folder for the bare repositories (default: a fresh one).")
    ] = None,
    credentials: Annotated[
        Path | None, typer.Option(help="Where generated tokens and keys are written (0600).")
    ] = None,
    faults: Annotated[
        Path | None, typer.Option(help="YAML file with faults to simulate (docs/faults.md).")
    ] = None,
    runner_lost_seconds: Annotated[
        float, typer.Option(help="Seconds after which a job fails if its runner is silent.")
    ] = 60.0,
    model: Annotated[
        Path | None,
        typer.Option(help="YAML script of a scripted model; localhub serves this model, too."),
    ] = None,
    model_port: Annotated[
        int,
        typer.Option(min=0, max=_PORT_MAX, help="Port of the scripted model; 0 takes a free one."),
    ] = 8471,
) -> None:
    """Run localhub, a local GitHub, on 127.0.0.1; with --model, a scripted model beside it."""
    from bot.entry.commands.run_localhub import LocalhubOptions, run_localhub

    options = LocalhubOptions(
        seed, port, folder, credentials, faults, runner_lost_seconds, model, model_port
    )
    raise typer.Exit(run_localhub(options))


@app.command()
def plan(
    paths: Annotated[list[Path], typer.Argument(help="Spec files, or folders of one spec.")],
    as_json: JsonFlag = False,
    with_put_off: Annotated[
        bool,
        typer.Option("--all", help="Also plan requirements that are marked as done or for later."),
    ] = False,
) -> None:
    """Print the plan of a spec: its changes, their order and the reasons."""
    from bot.entry.commands.plan import print_plans

    raise typer.Exit(print_plans(paths, as_json, with_put_off))


app.add_typer(specs, name="spec")

models = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Print which model is used for which role, and why.",
)
app.add_typer(models, name="models")

ModelOptions = Annotated[
    list[str] | None,
    typer.Option("--model", help="role=model or role=chain; it overrides every other setting."),
]


@models.command("explain")
def explain_models(
    policy: Annotated[Path, typer.Option(help="The policy file.")] = Path(".github/headgate.yml"),
    model: ModelOptions = None,
    as_json: JsonFlag = False,
) -> None:
    """Print the models of each role and which setting chose them; exit 1 if a role has none."""
    from bot.entry.commands.models_explain import print_explanation

    raise typer.Exit(print_explanation(policy, model or [], as_json))


@app.command()
def coverage(
    path: Annotated[
        Path, typer.Argument(help="The checkout with the specs and the tests.")
    ] = Path(),
    junit: Annotated[
        list[Path] | None, typer.Option(help="A JUnit report that says which tests passed.")
    ] = None,
    when: Annotated[
        str,
        typer.Option(
            help="When a requirement counts as covered: landed, named, or passed (with --junit)."
        ),
    ] = "",
    repository: Annotated[
        str,
        typer.Option(
            help="owner/name: also print which change landed each requirement, from its journal."
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print which requirements are named by tests; exit 1 if one is not covered."""
    from bot.entry.commands.coverage import CoverageOptions, print_coverage

    options = CoverageOptions(path, tuple(junit or ()), when, repository, as_json)
    raise typer.Exit(print_coverage(options))


@app.command()
def journal(
    change: Annotated[str, typer.Option(help="Only events of this change (slug or id).")] = "",
    repository: Annotated[str, typer.Option(help="owner/name; default: all.")] = "",
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Keep printing new events.")
    ] = False,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay",
            help="Compute the state again from all events, and print each change's states.",
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Print, follow or replay the journal of events."""
    from bot.entry.commands.journal import JournalView, print_journal

    raise typer.Exit(print_journal(JournalView(change, repository, follow, replay, as_json)))


@app.command()
def explain(
    change: Annotated[str, typer.Argument(help="A change's slug or id, or #issue.")],
    as_json: JsonFlag = False,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Print what its newest agent run said and did.")
    ] = False,
) -> None:
    """Print where a change is, what it waits for, and how it got there."""
    if transcript:
        from bot.entry.commands.watch import print_run

        raise typer.Exit(print_run(change, follow=False))
    from bot.entry.commands.explain import print_explanation

    raise typer.Exit(print_explanation(change, as_json))


@app.command()
def queue(
    repository: Annotated[
        str, typer.Option("--repository", help="Only this repository (owner/name).")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print who is in the queue, what each waits for, and when its turn may come."""
    from bot.entry.commands.queue import print_queue

    raise typer.Exit(print_queue(repository, as_json))


@app.command()
def watch(
    change: Annotated[str, typer.Argument(help="A change's slug or id, or #issue.")],
) -> None:
    """Print what a change's agent says and does, as it happens, until its run ends."""
    from bot.entry.commands.watch import print_run

    raise typer.Exit(print_run(change, follow=True))


@app.command()
def doctor(
    policy: Annotated[
        Path, typer.Option(help="The policy file whose values are printed with their origin.")
    ] = Path(".github/headgate.yml"),
    as_json: JsonFlag = False,
) -> None:
    """Check this machine; print what is missing and how to get it."""
    from bot.entry.commands.doctor import print_findings

    raise typer.Exit(print_findings(policy, as_json))


gates_app = typer.Typer(
    cls=CommandGroup, help="Run the policy's gates, or print their modes.", no_args_is_help=True
)
app.add_typer(gates_app, name="gates")


@gates_app.command("run")
def run_gates(
    only: Annotated[list[str] | None, typer.Argument(help="Gates; default: all.")] = None,
    base: Annotated[
        str,
        typer.Option(
            help="The branch that HEAD started from; its policy counts. Default: the remote's "
            "default branch, else main or master."
        ),
    ] = "",
    spec: Annotated[
        list[str] | None,
        typer.Option(
            help="The spec with the requirements of this work. Default: found by the changed tests."
        ),
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Also let a model review the diff. This costs money.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Run the gates on what is checked out, as a runner does; exit 1 if a required one is red."""
    from bot.entry.commands.gates_run import RunOptions, run_gates as run

    raise typer.Exit(run(RunOptions(base, tuple(only or ()), tuple(spec or ()), review, as_json)))


@gates_app.command("explain")
def explain_gates(
    change: Annotated[str, typer.Argument(help="A change's slug or id, #issue, or a type.")],
    policy: Annotated[Path, typer.Option(help="The policy file.")] = Path(".github/headgate.yml"),
    as_json: JsonFlag = False,
) -> None:
    """Print each gate's mode for a change, and which line of the policy says so."""
    from bot.entry.commands.gates_explain import print_gates

    raise typer.Exit(print_gates(change, policy, as_json))


runner_app = typer.Typer(
    cls=CommandGroup, help="Check a machine that runs Headgate's orders.", no_args_is_help=True
)
app.add_typer(runner_app, name="runner")


@runner_app.command("doctor")
def runner_doctor(
    server: Annotated[str, typer.Option(help="Address of the Headgate server.")] = "",
    repository: Annotated[str, typer.Option(help="OWNER/NAME, to check the labels.")] = "",
    label: Annotated[str, typer.Option(help="The label that jobs require.")] = "headgate",
    api: Annotated[str, typer.Option(help="GitHub's REST address.")] = "https://api.github.com",
    as_json: JsonFlag = False,
) -> None:
    """Say what this runner lacks: sandbox, packages, disk, clock, egress, label."""
    given = ("--server", server, "--repository", repository, "--label", label, "--api", api)
    become_action("doctor", *given, *(("--json",) if as_json else ()))


@app.command()
def schema() -> None:
    """Print the JSON Schema of `.github/headgate.yml`."""
    from bot.core.spec.policy_file import policy_schema

    typer.echo(policy_schema(), nl=False)


@app.command()
def demo(
    spec: Annotated[
        Path | None,
        typer.Option(
            help="A spec file of your own (`headgate plan` reads it). The demo's repository is "
            "then almost empty and has one gate, so only the spec's own tests can fail. "
            "Needs --agent, or ANTHROPIC_API_KEY for a real model."
        ),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            help="A command that edits the tree, instead of the built-in agent. Its prompt is "
            "on stdin and in $HEADGATE_PROMPT_FILE."
        ),
    ] = "",
    exit_: Annotated[
        bool, typer.Option("--exit", help="Exit when all changes have landed.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Keep everything in this folder (default: a temporary one).")
    ] = None,
) -> None:
    """Watch a committed spec become merged code, on this machine, from nothing."""
    from bot.demo.run_demo import DemoOptions, run_demo

    raise typer.Exit(run_demo(DemoOptions(spec, agent, exit_, folder)))


if __name__ == "__main__":
    main()
