"""Faults on the runner's side, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "test_an_agent_asks.py::"
FILE = "harness/questions_file.py"
START = "test_imports_at_start.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "agents/builtin.py",
        "    if asking is not AskingRule.ALLOWED:\n",
        "    if asking is AskingRule.OFF:\n",
        STORIES + "test_an_agent_that_has_asked_enough_is_told_so_by_the_tool",
    ),
    PlantedFault(
        "agents/builtin.py",
        "*(() if asking is AskingRule.OFF else (ask,)),",
        "ask,",
        STORIES + "test_the_tool_is_offered_only_where_people_may_be_asked",
    ),
    PlantedFault(
        FILE,
        " and order.asking is AskingRule.ALLOWED",
        "",
        STORIES + "test_a_command_agent_that_may_not_ask_is_judged_by_its_work",
    ),
    PlantedFault(
        FILE,
        "os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW",
        "os.O_RDONLY | os.O_DIRECTORY",
        STORIES + "test_a_file_that_holds_no_questions_asks_nothing_and_hangs_nothing",
    ),
    PlantedFault(
        FILE,
        "os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK",
        "os.O_RDONLY | os.O_NONBLOCK",
        STORIES + "test_a_file_that_holds_no_questions_asks_nothing_and_hangs_nothing",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "    git.exclude_untracked(QUESTIONS_FILE)\n",
        "    git.exclude_untracked()\n",
        STORIES + "test_a_command_agent_asks_by_a_file_that_is_no_part_of_its_work",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "            if left_questions(setting.folder.tree) != asked_before:\n",
        "            if asked_before != b'':\n",
        STORIES + "test_a_file_that_was_there_before_the_agent_asks_nothing",
    ),
    PlantedFault(
        "harness/server.py",
        "import json\n",
        "import json\nimport httpx2 as _\n",
        START + "test_the_harness_starts_without_what_only_some_orders_need",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "import time\n",
        "import time\nimport action.harness.model_proxy as _\n",
        START + "test_an_agent_order_needs_no_client_of_a_model_until_its_agent_is_known",
    ),
    PlantedFault(
        "harness/http_client.py",
        "self._opener = OpenerDirector()",
        "self._opener = __import__('urllib.request').request.build_opener()",
        "test_http_client.py::test_a_redirect_is_an_answer_and_its_target_never_sees_the_token",
    ),
]
