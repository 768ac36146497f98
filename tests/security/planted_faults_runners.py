"""Faults in what is taken from runners."""

from tests.testkit.planting import PlantedFault

SAY = "test_what_runners_say.py::"
DOING = SAY + "test_what_a_run_does_has_numbers_that_can_be_read_again"

RUNNER_FAULTS = [
    PlantedFault(
        "action/report.py",
        "Count = Annotated[int, Field(ge=0, le=_COUNT_MAX)]",
        "Count = Annotated[int, Field(ge=0)]",
        SAY + "test_a_report_has_numbers_that_a_machine_may_have[turns without end]",
    ),
    PlantedFault(
        "action/report.py",
        "    if not all(0 <= kind <= _COUNT_MAX for kind in kinds):\n",
        "    if False:\n",
        SAY + "test_a_report_has_numbers_that_a_machine_may_have[tokens without end]",
    ),
    PlantedFault(
        "action/order.py",
        'frozen=True, extra="forbid", allow_inf_nan=False',
        'frozen=True, extra="forbid"',
        DOING + "[dollars]",
    ),
    PlantedFault(
        "action/order.py",
        "    first: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0\n",
        "    first: int = 0\n",
        DOING + "[a late line]",
    ),
    PlantedFault(
        "action/order.py",
        '    order_id: Annotated[str, Field(max_length=40, pattern=r"^[!-~]+$")]\n    oidc_token',
        "    order_id: str\n    oidc_token",
        SAY + "test_an_orders_name_is_a_short_word[]",
    ),
    PlantedFault(
        "bot/shell/orders.py",
        'redacted(line.replace("\\0", "\\ufffd"))',
        "redacted(line)",
        SAY + "test_a_zero_character_is_kept_as_another_one",
    ),
]
