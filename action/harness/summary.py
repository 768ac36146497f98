"""The summary on the page of the workflow run."""

from action.harness.workflow import log_safe
from action.report import AgentReport, GateOrderReport


def summary_of(report: AgentReport | GateOrderReport) -> str:
    if isinstance(report, AgentReport):
        return _agent_summary(report)
    rows = [
        f"| `{result.gate}` | {result.ending.value} | {result.seconds:.1f} | "
        f"{_cell(result.sentence)} |"
        for result in (report.report.results if report.report else ())
    ]
    head = ["| gate | ending | seconds | |", "|---|---|---:|---|"] if rows else []
    return "\n".join([f"## Headgate gates: {_cell(report.sentence)}", "", *head, *rows, ""])


def _agent_summary(report: AgentReport) -> str:
    head = f"`{report.head_sha[:12]}`" if report.head_sha else "none"
    return "\n".join(
        [
            f"## Headgate agent: {report.ending.value}",
            "",
            _cell(report.sentence),
            *(
                ["", f"Removed from the work: {_cell(', '.join(report.left_out))}"]
                if report.left_out
                else []
            ),
            "",
            "| turns | tokens | seconds | sandbox | work |",
            "|---:|---:|---:|---|---|",
            f"| {report.turns} | {report.tokens.total} | {report.seconds:.1f} | "
            f"{report.sandbox.value} | {head} |",
            "",
        ]
    )


def _cell(text: str) -> str:
    escaped = log_safe(text).replace("&", "&amp;").replace("<", "&lt;")
    return escaped.replace("|", "\\|").replace("`", "'")
