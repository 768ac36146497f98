"""The command line. Each command is a door: it reads its arguments, calls one thing, says how it
went, and exits 0, 1 (no) or 2 (asked wrongly). Heavy imports happen inside commands, so that
`--help` is quick.
"""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="headgate",
    help="Headgate turns committed specs into gated, merged code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def main() -> None:
    """The console script."""
    app()


@app.command()
def up() -> None:
    """Start everything on this machine, and keep it running until Ctrl-C."""
    from bot.entry.running import run_up

    raise typer.Exit(run_up())


@app.command()
def serve() -> None:
    """Run the web doors (webhook, runner API) under gunicorn."""
    from bot.entry.running import run_serve

    run_serve()


@app.command()
def worker() -> None:
    """Run one worker: it reads deliveries and reconciles repositories."""
    from bot.entry.running import run_worker

    run_worker()


@app.command()
def sweep() -> None:
    """Run the sweep, which needs no webhook and no Redis."""
    from bot.entry.running import run_sweep

    run_sweep()


@app.command()
def localhub(  # noqa: PLR0913 - one parameter an option
    seed: Annotated[Path, typer.Option(help="YAML file of users, repositories and Apps.")],
    port: Annotated[int, typer.Option(help="Port on 127.0.0.1; 0 takes a free one.")] = 8470,
    folder: Annotated[
        Path | None, typer.Option(help="Where the bare repositories are kept.")
    ] = None,
    credentials: Annotated[
        Path | None, typer.Option(help="Where generated tokens and keys are written (0600).")
    ] = None,
    faults: Annotated[
        Path | None, typer.Option(help="YAML file of faults to plant (docs/faults.md).")
    ] = None,
    runner_lost_seconds: Annotated[
        float, typer.Option(help="When a silent runner's job fails.")
    ] = 60.0,
    model: Annotated[
        Path | None, typer.Option(help="YAML script of a model to play beside it.")
    ] = None,
    model_port: Annotated[int, typer.Option(help="Its port; 0 takes a free one.")] = 8471,
) -> None:
    """Run localhub, a GitHub in a box, on loopback; with a scripted model beside it, if wanted."""
    from bot.entry.boxed import LocalhubOptions, run_localhub

    options = LocalhubOptions(
        seed, port, folder, credentials, faults, runner_lost_seconds, model, model_port
    )
    raise typer.Exit(run_localhub(options))


@app.command()
def plan(
    paths: Annotated[list[Path], typer.Argument(help="Spec files, or folders of one spec.")],
    as_json: JsonFlag = False,
) -> None:
    """Print the plan of a spec: its changes, their order and why."""
    from bot.entry.planning import print_plans

    raise typer.Exit(print_plans(paths, as_json))


specs = typer.Typer(no_args_is_help=True, help="Read, question, compare and archive specs on disk.")
app.add_typer(specs, name="spec")

SpecPaths = Annotated[list[Path], typer.Argument(help="Spec files, or folders of one spec.")]


@specs.command()
def check(
    paths: SpecPaths,
    strict: Annotated[bool, typer.Option("--strict", help="Open questions fail, too.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what is unclear or wrong in specs; exit 1 where one would start nothing."""
    from bot.entry.specs import check_specs

    raise typer.Exit(check_specs(paths, strict, as_json))


@specs.command()
def show(paths: SpecPaths, as_json: JsonFlag = False) -> None:
    """Show what is understood of specs: requirements and scenarios with their lines."""
    from bot.entry.specs import show_specs

    raise typer.Exit(show_specs(paths, as_json))


@specs.command()
def diff(
    old: Annotated[Path, typer.Argument(help="The spec as it was.")],
    new: Annotated[Path, typer.Argument(help="The spec as it is.")],
    as_json: JsonFlag = False,
) -> None:
    """Say which requirements came, went or changed; exit 1 where there are any."""
    from bot.entry.specs import diff_specs

    raise typer.Exit(diff_specs(old, new, as_json))


@specs.command()
def archive(
    name: Annotated[str, typer.Argument(help="The delta folder openspec/changes/NAME.")],
    root: Annotated[Path, typer.Option(help="The folder that holds openspec/.")] = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Fold a delta folder into the main specs, as OpenSpec's archive does."""
    from bot.entry.archiving import archive_delta

    raise typer.Exit(archive_delta(name, root, as_json))


models = typer.Typer(no_args_is_help=True, help="Which model answers for what, and why.")
app.add_typer(models, name="models")

ModelOptions = Annotated[
    list[str] | None, typer.Option("--model", help="role=model or role=chain; beats all else.")
]


@models.command("explain")
def explain_models(
    policy: Annotated[Path, typer.Option(help="The policy file.")] = Path(".github/headgate.yml"),
    model: ModelOptions = None,
    as_json: JsonFlag = False,
) -> None:
    """Print each role's models with the tier that says so; exit 1 where a role has none."""
    from bot.entry.models import print_explanation

    raise typer.Exit(print_explanation(policy, model or [], as_json))


@app.command()
def coverage(
    path: Annotated[
        Path, typer.Argument(help="The checkout whose specs and tests are read.")
    ] = Path(),
    junit: Annotated[
        list[Path] | None, typer.Option(help="A JUnit report: which tests passed.")
    ] = None,
    when: Annotated[
        str, typer.Option(help="What counts: landed, named, or passed (with --junit).")
    ] = "",
    repository: Annotated[
        str, typer.Option(help="owner/name: say from its journal what brought each requirement.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Say which requirements tests name; exit 1 where one is not covered."""
    from bot.entry.coverage import CoverageQuestion, print_coverage

    question = CoverageQuestion(path, tuple(junit or ()), when, repository, as_json)
    raise typer.Exit(print_coverage(question))


@app.command()
def journal(
    change: Annotated[str, typer.Option(help="Only events of this change (slug or id).")] = "",
    repository: Annotated[str, typer.Option(help="owner/name; default: all.")] = "",
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on printing.")] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Fold from nothing; print where changes went.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Print, follow or replay the journal."""
    from bot.entry.reading import JournalView, print_journal

    raise typer.Exit(print_journal(JournalView(change, repository, follow, replay, as_json)))


@app.command()
def explain(
    change: Annotated[str, typer.Argument(help="A change's slug or id, or #issue.")],
    as_json: JsonFlag = False,
) -> None:
    """Say where a change is, what it waits for, and how it came there."""
    from bot.entry.reading import print_explanation

    raise typer.Exit(print_explanation(change, as_json))


@app.command()
def doctor(
    policy: Annotated[
        Path, typer.Option(help="The policy file whose values are shown with their origin.")
    ] = Path(".github/headgate.yml"),
    as_json: JsonFlag = False,
) -> None:
    """Say what is missing here, and how to get it."""
    from bot.entry.doctor import print_findings

    raise typer.Exit(print_findings(policy, as_json))


@app.command()
def schema() -> None:
    """Print the JSON Schema of `.github/headgate.yml`."""
    from bot.core.spec.policy import policy_schema

    typer.echo(policy_schema(), nl=False)


@app.command()
def demo(
    spec: Annotated[
        Path | None,
        typer.Option(
            help="A spec file of your own (OpenSpec or REQ-ID form), on an almost empty repository "
            "with one gate, so that no tests but its own stand in the way; needs --agent, or "
            "ANTHROPIC_API_KEY for a real model."
        ),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(
            help="A command that edits the tree, instead of the built-in agent; its prompt is on "
            "stdin and in $HEADGATE_PROMPT_FILE."
        ),
    ] = "",
    exit_: Annotated[bool, typer.Option("--exit", help="End when it is done.")] = False,
    short: Annotated[bool, typer.Option("--short", help="Without the killed runner.")] = False,
    folder: Annotated[
        Path | None, typer.Option(help="Where everything is kept (default: a fresh folder).")
    ] = None,
) -> None:
    """Watch a committed spec become merged code, on this machine, from nothing."""
    from bot.entry.demo import DemoOptions, run_demo

    raise typer.Exit(run_demo(DemoOptions(spec, agent, exit_, short, folder)))


if __name__ == "__main__":
    main()
