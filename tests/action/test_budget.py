"""What an agent run may spend: weights, prices, reservations, and answers without usage."""

import json
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from action.agents.budget import Admission, Budget, LimitReached
from action.agents.usage import UsageReader, upper_estimate
from action.harness.model_proxy import model_proxy
from action.order import AgentKind, AgentLimits, AgentSettings, ModelCredentials, Price
from action.report import AgentEnding, Obstacle, TokenUse
from bot.core.spec.agent_budget import agent_settings
from bot.core.spec.model_choice import ServerModels
from bot.core.spec.policy import Policy, read_policy
from bot.core.values.plan_model import ChangeSize
from bot.localhub.model_server.usage import Usage
from tests.action.fake_server import BROKEN_OFF, MODEL_KEY, FakeServer, bash
from tests.action.kit import Harness, Project, agent_order
from tests.needs import needs_curl

MODEL = "claude-sonnet-4-6"
PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75, cache_write_hour=6)
NOTHING = TokenUse()


def budget_of(
    limits: dict[str, float] | None = None, prices: dict[str, Price] | None = None
) -> Budget:
    known = {MODEL: PRICE} if prices is None else prices
    return Budget(AgentSettings(limits=AgentLimits.model_validate(limits or {}), prices=known))


def spend(budget: Budget, use: TokenUse, model: str = MODEL) -> AgentEnding | None:
    """One request from its admission to its charge; the ending if it was not admitted."""
    admitted = budget.admit(model, NOTHING)
    if isinstance(admitted, LimitReached):
        return admitted.ending
    with admitted:
        admitted.charge(use)
    return None


@pytest.mark.parametrize(
    ("use", "weighted", "dollars"),
    [
        (TokenUse(input=1_000_000), 1_000_000, 3.0),
        (TokenUse(output=1_000_000), 5_000_000, 15.0),
        (TokenUse(cache_read=1_000_000), 100_000, 0.3),
        (TokenUse(cache_write=1_000_000), 1_250_000, 3.75),
        (TokenUse(cache_write_hour=1_000_000), 2_000_000, 6.0),
        (TokenUse(cache_read=1), 1, 0.3e-6),
        (TokenUse(), 0, 0.0),
    ],
)
def test_each_kind_of_token_weighs_what_it_costs(
    use: TokenUse, weighted: int, dollars: float
) -> None:
    assert use.weighted == weighted
    assert PRICE.cost(use) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("limits", "use", "turns", "ending"),
    [
        ({"tokens_max": 100}, TokenUse(cache_read=250), 4, AgentEnding.OUT_OF_TOKENS),
        ({"tokens_max": 100}, TokenUse(input=25), 4, AgentEnding.OUT_OF_TOKENS),
        ({"dollars_max": 0.3}, TokenUse(cache_read=250_000), 4, AgentEnding.OUT_OF_DOLLARS),
        ({"dollars_max": 0.0}, NOTHING, 0, AgentEnding.OUT_OF_DOLLARS),
        ({"turns_max": 2}, TokenUse(input=25), 2, AgentEnding.OUT_OF_TURNS),
    ],
)
def test_a_limit_ends_the_run_before_the_next_turn(
    limits: dict[str, float], use: TokenUse, turns: int, ending: AgentEnding
) -> None:
    budget = budget_of(limits)
    for _ in range(turns):
        assert spend(budget, use) is None
    assert spend(budget, use) is ending
    assert budget.turns == turns
    over = budget.over()
    assert over is not None
    assert over.ending is ending


def test_the_time_limit_ends_the_run() -> None:
    now = [0.0]
    budget = Budget(AgentSettings(limits=AgentLimits(agent_timeout_seconds=10)), lambda: now[0])
    assert spend(budget, NOTHING) is None
    now[0] = 10.0
    assert spend(budget, NOTHING) is AgentEnding.OUT_OF_TIME
    assert budget.seconds_left == 0


def test_a_long_run_uses_no_more_memory_than_a_short_one() -> None:
    now = [0.0]
    limits = AgentLimits(turns_max=1_000_000, tokens_max=10**9, agent_timeout_seconds=36_000)
    budget = Budget(AgentSettings(limits=limits), lambda: now[0])

    def ask(times: int) -> int:
        for _ in range(times):
            now[0] += 10
            assert spend(budget, TokenUse(input=25)) is None
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        early = ask(100)
        assert ask(2_000) - early < 50_000
    finally:
        tracemalloc.stop()


def test_an_unknown_price_is_unknown_and_the_tokens_are_limited() -> None:
    budget = budget_of({"dollars_max": 0.01, "tokens_max": 1_000_000})
    assert spend(budget, TokenUse(input=900_000), "somebody-elses") is None
    assert spend(budget, TokenUse(input=100_000), "somebody-elses") is None
    assert spend(budget, NOTHING) is AgentEnding.OUT_OF_TOKENS


def test_a_token_kind_without_a_price_makes_the_cost_unknown() -> None:
    budget = budget_of({"dollars_max": 0.01}, {MODEL: Price(input=3, output=15)})
    assert spend(budget, TokenUse(input=4_000, cache_read=9)) is None
    assert spend(budget, TokenUse(input=4_000)) is None
    assert spend(budget, NOTHING) is AgentEnding.OUT_OF_DOLLARS


def test_a_dated_name_has_the_price_of_the_plain_one() -> None:
    budget = budget_of({"dollars_max": 0.01})
    assert spend(budget, TokenUse(input=4_000), f"{MODEL}-20260115") is None
    assert spend(budget, NOTHING) is AgentEnding.OUT_OF_DOLLARS


@pytest.mark.parametrize("limits", [{"tokens_max": 1_000}, {"dollars_max": 0.003}])
def test_a_request_beyond_the_budget_waits_for_a_running_one(
    limits: dict[str, float],
) -> None:
    # The clock stands still until the second request waits; then the time is up.
    ticks = iter([0.0] * 4 + [9.99] + [10.0] * 9)
    settings = AgentSettings(
        limits=AgentLimits.model_validate({**limits, "agent_timeout_seconds": 10}),
        prices={MODEL: PRICE},
    )
    budget = Budget(settings, lambda: next(ticks))
    assert isinstance(budget.admit(MODEL, TokenUse(input=400)), Admission)
    assert isinstance(budget.admit(MODEL, TokenUse(input=600)), Admission)
    refused = budget.admit(MODEL, TokenUse(input=1))
    assert isinstance(refused, LimitReached)
    assert refused.ending is AgentEnding.OUT_OF_TIME
    assert budget.turns == 2


def test_a_single_request_may_exceed_the_token_limit() -> None:
    budget = budget_of({"tokens_max": 100, "agent_timeout_seconds": 5})
    for _ in range(3):
        admitted = budget.admit(MODEL, TokenUse(output=16_000))
        assert isinstance(admitted, Admission)
        with admitted:
            admitted.charge(TokenUse(input=30))


def test_a_single_request_that_could_exceed_the_dollar_limit_is_not_sent() -> None:
    budget = budget_of({"dollars_max": 0.30})
    fits = TokenUse(input=20_000, output=16_000)
    admitted = budget.admit(MODEL, fits)
    assert isinstance(admitted, Admission), "0.06 + 0.24 is all of it"
    with admitted:
        admitted.charge(TokenUse(input=10_000))
    refused = budget.admit(MODEL, TokenUse(input=110_000))
    assert isinstance(refused, LimitReached)
    assert refused.ending is AgentEnding.OUT_OF_DOLLARS
    assert refused.sentence == (
        "The agent's next request may cost $0.30, but only $0.27 of $0.30 is left."
    )
    assert budget.turns == 1
    assert budget.over() == refused, "the run ends by it"


# A request whose prompt was expected to be 200,000 tokens, of which the cache holds all but 1,000.
CACHED = TokenUse(input=1_000, cache_write=99_000)
GROWN = TokenUse(input=202_000)


def after_a_cached_request(
    dollars_max: float, price: Price = PRICE
) -> tuple[Budget, Callable[[float], None]]:
    """A budget after one such request ($0.37), and what moves its clock."""
    now = [0.0]
    settings = AgentSettings(limits=AgentLimits(dollars_max=dollars_max), prices={MODEL: price})
    budget = Budget(settings, lambda: now[0])
    admitted = budget.admit(MODEL, TokenUse(input=200_000))
    assert isinstance(admitted, Admission)
    with admitted:
        admitted.charge(CACHED)

    def wait(seconds: float) -> None:
        now[0] += seconds

    return budget, wait


def test_a_resumed_conversation_is_estimated_at_cache_prices() -> None:
    budget, wait = after_a_cached_request(0.7)
    wait(299)
    assert isinstance(budget.admit(MODEL, GROWN), Admission), "0.04 of 0.33, and not 0.61"


@pytest.mark.parametrize("why", ["the cache is gone", "it is another model", "it is shorter"])
def test_a_request_that_may_miss_the_cache_is_estimated_at_full_price(why: str) -> None:
    budget, wait = after_a_cached_request(0.7)
    asked, model = GROWN, MODEL
    match why:
        case "the cache is gone":
            wait(300)
        case "it is another model":
            model = f"{MODEL}-20260115"
        case _:
            asked = TokenUse(input=199_999)
    assert isinstance(budget.admit(model, asked), LimitReached)


def test_a_large_request_waits_until_no_other_is_running() -> None:
    budget, _ = after_a_cached_request(0.7)
    other = budget.admit(MODEL, NOTHING)
    assert isinstance(other, Admission)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(budget.admit, MODEL, GROWN)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        with other:
            pass
        assert isinstance(waiting.result(5), Admission)


def test_a_cache_of_unknown_price_is_estimated_at_full_price() -> None:
    unknown = Price(input=3, output=15, cache_write=3.75)
    budget, _ = after_a_cached_request(0.7, unknown)
    assert isinstance(budget.admit(MODEL, GROWN), LimitReached)


def test_the_output_limit_is_the_remaining_budget_in_dollars_and_tokens() -> None:
    reading = TokenUse(input=10_000)
    assert budget_of({"dollars_max": 0.18}).answer_tokens_left(MODEL, reading) == 10_000
    assert budget_of({"tokens_max": 10_050}).answer_tokens_left(MODEL, reading) == 10
    assert budget_of({"dollars_max": 0.01}).answer_tokens_left(MODEL, reading) == 0
    budget, _ = after_a_cached_request(0.7)
    assert budget.answer_tokens_left(MODEL, GROWN) == 19_136


STREAM = (
    b'event: message_start\ndata: {"type":"message_start","message":{"usage":'
    b'{"input_tokens":10,"cache_read_input_tokens":5,"cache_creation_input_tokens":9,'
    b'"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":7},'
    b'"output_tokens":1}}}\n\n'
    b'event: message_delta\ndata: {"type":"message_delta","usage":{"input_tokens":10,'
    b'"cache_creation_input_tokens":9,"output_tokens":30}}\n\n'
)
USED = TokenUse(input=10, output=30, cache_read=5, cache_write=2, cache_write_hour=7)


def read(answer: bytes, size: int = 4_096) -> TokenUse:
    """What an answer to a request of 4,000 bytes is charged."""
    reader = UsageReader(4_000)
    for start in range(0, len(answer), size):
        reader.feed(answer[start : start + size])
    return reader.finish()


@pytest.mark.parametrize("size", [1, 7, 4_096])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_usage_does_not_depend_on_how_the_stream_is_cut(size: int, end: bytes) -> None:
    assert read(STREAM.replace(b"\n", end), size) == USED


@pytest.mark.parametrize("size", [1, 7, 4_096])
@pytest.mark.parametrize("indent", [None, 2])
def test_usage_of_a_complete_answer_is_read_in_any_layout(size: int, indent: int | None) -> None:
    answer = {
        "content": [{"text": '"usage": 9\n{"usage"'}],
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    assert read(json.dumps(answer, indent=indent).encode(), size) == TokenUse(input=3, output=4)


@pytest.mark.parametrize(
    ("answer", "use"),
    [
        (b"x" * 400, TokenUse(input=1_000, output=100)),
        (b"", TokenUse(input=1_000)),
        (b"\xff\xfe", TokenUse(input=1_000, output=1)),
        (b'data: {"usage": 3}', TokenUse(input=1_000, output=5)),
        (b'{"usage": {"a": ', TokenUse(input=1_000, output=4)),
        (b'{"usage": {"input_tokens": 0, "output_tokens": 0}}', TokenUse(input=1_000)),
        (b'{"usage": {"input_tokens": -9, "output_tokens": -9}}', TokenUse(input=1_000)),
        (b'{"usage": {"output_tokens": 5}}', TokenUse(input=1_000, output=5)),
        # Broken off after the start: the output so far is charged by its size.
        (
            STREAM.partition(b"event: message_delta")[0] + b"x" * 4_000,
            USED.model_copy(update={"output": 1_063}),
        ),
    ],
)
def test_an_answer_without_usage_is_charged_by_its_size(answer: bytes, use: TokenUse) -> None:
    assert read(answer) == use


def test_the_upper_estimate_is_above_what_agents_were_measured_to_use() -> None:
    upper = upper_estimate(125_000, 8_000)
    used = TokenUse(cache_write=32_000, output=8_000)
    assert upper.weighted > used.weighted
    assert (PRICE.cost(upper) or 0) > (PRICE.cost(used) or 0)


QUESTION = {"model": MODEL, "max_tokens": 400, "messages": [{"role": "user", "content": "hi"}]}


def posted(
    server: FakeServer, budget: Budget, folder: Path, times: int, **body: object
) -> list[int]:
    """The statuses of questions that are sent through the proxy side by side."""
    credentials = ModelCredentials(base_url=server.url, api_key=MODEL_KEY)
    with model_proxy(credentials, MODEL, budget, folder / "m") as access:
        (proxy,) = access.proxies
        transport = httpx2.HTTPTransport(uds=str(proxy.socket))
        with (
            httpx2.Client(transport=transport, base_url="http://m", timeout=30) as client,
            ThreadPoolExecutor(times) as pool,
        ):
            sent = [
                pool.submit(client.post, "/v1/messages", json=QUESTION | body) for _ in range(times)
            ]
            # Nothing is answered before a second question came through, or had time to.
            server.asks.acquire(timeout=10)
            server.asks.acquire(timeout=0.3)
            server.answers.set()
            return [one.result().status_code for one in sent]


@pytest.mark.parametrize("limits", [{"tokens_max": 2_000}, {"dollars_max": 0.0065}])
def test_parallel_requests_cannot_exceed_the_limit_together(
    server: FakeServer, tmp_path: Path, limits: dict[str, float]
) -> None:
    server.answers.clear()
    server.usage = Usage(input=1, cache_read=0, cache_write=0, output=400)
    budget = budget_of(limits)

    codes = posted(server, budget, tmp_path, 25)

    assert sorted(codes) == [200] + [400] * 24
    assert (budget.turns, budget.tokens.output) == (1, 400)


@pytest.mark.parametrize("stream", [False, True])
def test_the_proxy_charges_an_answer_without_usage_by_its_size(
    server: FakeServer, tmp_path: Path, stream: bool
) -> None:
    server.tells_usage = False
    server.script = [["x" * 4_000]]
    budget = budget_of()

    assert posted(server, budget, tmp_path, 1, stream=stream) == [200]

    asked = json.dumps(QUESTION | {"stream": stream}, separators=(",", ":"))
    assert budget.tokens.input == -(-len(asked) // 4)
    assert budget.tokens.output >= 1_000


def test_the_proxy_reads_the_usage_of_a_document_in_many_lines(
    server: FakeServer, tmp_path: Path
) -> None:
    server.indent = 2
    budget = budget_of()
    assert posted(server, budget, tmp_path, 1) == [200]
    assert budget.tokens == TokenUse(input=90, output=10)


def test_a_refused_request_is_not_charged(server: FakeServer, tmp_path: Path) -> None:
    server.script = [529]
    budget = budget_of()
    assert posted(server, budget, tmp_path, 1) == [529]
    assert (budget.turns, budget.tokens) == (1, NOTHING)


def test_a_request_that_still_waits_when_the_agent_has_ended_is_refused(
    server: FakeServer, tmp_path: Path
) -> None:
    budget = budget_of()
    assert posted(server, budget, tmp_path, 1) == [200]
    assert isinstance(budget.admit(MODEL, NOTHING), LimitReached)


@pytest.mark.slow
def test_the_builtin_agent_pays_for_answers_that_broke_off_or_count_nothing(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    server.order = agent_order(server, project)
    server.tells_usage = False
    server.script = [BROKEN_OFF, [bash("touch new")], ["DONE"]]

    harness.run()

    report = server.agent_report
    assert report.obstacle is Obstacle.MODEL_AWAY
    assert "did not have the API's format" in report.sentence
    assert report.turns == 1
    assert report.tokens.input > 3 * 500


@pytest.mark.slow
def test_the_dollars_of_an_order_end_the_builtin_agent(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    agent = AgentSettings(limits=AgentLimits(dollars_max=0.10), prices={MODEL: PRICE})
    server.order = agent_order(server, project, agent=agent)
    server.script = [[bash(f"echo {number} >>log")] for number in range(9)]
    server.usage = Usage(input=5_000, cache_read=0, cache_write=0, output=500)

    harness.run()

    report = server.agent_report
    assert report.ending is AgentEnding.OUT_OF_DOLLARS
    assert "The agent's next request may cost $0.0" in report.sentence
    assert report.turns in (3, 4)
    asked = [int(str(request["max_tokens"])) for request in server.asked]
    assert asked == sorted(asked, reverse=True), "less and less is left for an answer"
    assert 16_000 > asked[0] > asked[-1] >= 1_000
    spent = PRICE.cost(report.tokens)
    assert spent is not None
    assert 0.05 < spent < 0.10


@needs_curl
@pytest.mark.slow
def test_a_cached_conversation_lasts_over_sixty_turns_on_a_small_change(
    server: FakeServer, project: Project, harness: Harness
) -> None:
    policy = read_policy(None)
    assert isinstance(policy, Policy)
    small = agent_settings(policy, ServerModels(), ChangeSize.S)
    ask = (
        "for i in $(seq 65); do"
        f" curl -sf -o /dev/null -d '{json.dumps(QUESTION)}' $ANTHROPIC_BASE_URL/v1/messages"
        " && echo $i >>log; done"
    )
    settings = small.model_copy(update={"kind": AgentKind.COMMAND, "command": ask})
    server.order = agent_order(server, project, agent=settings)
    # Claude Code's instructions and tools, read out of the cache every turn, and a tool call.
    server.usage = Usage(input=10, cache_read=32_000, cache_write=500, output=150)

    harness.run()

    report = server.agent_report
    assert (report.ending, report.turns) == (AgentEnding.FINISHED, 65)
    assert report.tokens.total > 2_000_000
