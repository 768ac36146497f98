"""Faults on the runner's side, and the test that each must make fail."""

from tests.testkit.planting import PlantedFault

STORIES = "test_agent_questions.py::"
FILE = "harness/words_for_people.py"
START = "test_imports_at_start.py::"

PLANTED_FAULTS = [
    PlantedFault(
        "sandbox/inside.py",
        "import marshal\n",
        "import json\nimport marshal\n",
        START + "test_a_sandboxed_command_waits_for_few_imports",
    ),
    PlantedFault(
        "agents/builtin.py",
        "    if asking is not AskingRule.ALLOWED:\n",
        "    if asking is AskingRule.OFF:\n",
        STORIES + "test_the_tool_refuses_an_agent_that_has_asked_enough",
    ),
    PlantedFault(
        "agents/builtin.py",
        "*(() if task.asking is AskingRule.OFF else (ask,)),",
        "ask,",
        STORIES + "test_the_tool_is_offered_only_if_people_may_be_asked",
    ),
    PlantedFault(
        FILE,
        " and order.asking is AskingRule.ALLOWED",
        "",
        STORIES + "test_a_command_agent_that_may_not_ask_is_judged_by_its_work",
    ),
    PlantedFault(
        "sandbox/trees.py",
        "        deeper = _opened(folder, current)\n        os.close(current)\n",
        "        deeper = os.open(folder, os.O_RDONLY, dir_fd=current)\n        os.close(current)\n",
        "action/test_fingerprint.py::test_ticked_tasks_are_part_of_the_fingerprint",
    ),
    PlantedFault(
        "sandbox/trees.py",
        "os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK",
        "os.O_RDONLY | os.O_NONBLOCK",
        STORIES + "test_a_questions_file_that_cannot_be_read_is_ignored_without_blocking",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "begin, FILES)",
        "begin)",
        STORIES + "test_a_command_agent_asks_with_a_file_that_is_not_part_of_its_work",
    ),
    PlantedFault(
        "harness/words_for_people.py",
        "    if left.questions != before.questions:\n",
        "    if before.questions != b'':\n",
        STORIES + "test_a_questions_file_from_before_the_agent_is_ignored",
    ),
    PlantedFault(
        "secret_rules.py",
        "    sys.modules[name] = ModuleType(name)\n",
        "    importlib.import_module(name)\n",
        START + "test_rules_for_secrets_import_no_network_client",
    ),
    PlantedFault(
        "secret_rules.py",
        "        del sys.modules[name]\n",
        "        pass\n",
        START + "test_rules_for_secrets_import_no_network_client",
    ),
    PlantedFault(
        "action/report.py",
        """extra="forbid", allow_inf_nan=False, defer_build=True)""",
        """extra="forbid", allow_inf_nan=False)""",
        START + "test_models_of_orders_and_reports_are_built_on_first_use",
    ),
    PlantedFault(
        "harness/server.py",
        "import json\n",
        "import json\nimport httpx2 as _\n",
        START + "test_the_harness_starts_without_imports_that_only_some_orders_need",
    ),
    PlantedFault(
        "harness/agent_order.py",
        "import time\n",
        "import time\nimport action.harness.model_proxy as _\n",
        START + "test_an_agent_order_imports_no_model_client_before_it_knows_its_agent",
    ),
    PlantedFault(
        "harness/http_client.py",
        "except (OSError, HTTPException, ValueError) as error:",
        "except (OSError, HTTPException) as error:",
        "test_http_client.py::test_an_invalid_address_is_an_error",
    ),
    PlantedFault(
        "harness/http_client.py",
        "self._opener = OpenerDirector()",
        "self._opener = __import__('urllib.request').request.build_opener()",
        "test_http_client.py::test_redirects_are_not_followed",
    ),
]
