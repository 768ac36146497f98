"""A fault for every guard of what a lease may hand in, and of how many specs one look reads."""

from tests.testkit.planting import PlantedFault

BYTES = "security/test_lease_bytes.py::test_the_bytes_of_a_lease_are_limited"
STORE = "adapters_store/test_order_store.py::TestBytes::"

LEASE_BYTES_FAULTS = [
    PlantedFault(
        "shell/orders.py", "    _reserve(ports, token, most, LEASE_BYTES_MAX)\n", "", BYTES
    ),
    PlantedFault(
        "shell/orders.py",
        "before.report_digest is not None",
        "False",
        BYTES,
    ),
    PlantedFault("shell/orders.py", "self.count > self._bytes_max", "False", BYTES),
    PlantedFault(
        "shell/orders.py",
        "        ports.order_store.settle(token, most, kept, renewed)\n",
        "        pass\n",
        BYTES,
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        ", after <= most",
        "",
        STORE + "test_concurrent_reservations_stay_within_the_limit",
    ),
    PlantedFault(
        "adapters/store/order_store.py",
        "sa.case((again, 0), else_=count)",
        "count",
        STORE + "test_the_same_bundle_again_counts_once",
    ),
    PlantedFault(
        "adapters/store/transcripts.py",
        " or batches >= _BATCHES_MAX",
        "",
        "adapters_store/test_transcripts.py::test_many_short_batches_do_not_exceed_the_line_limit",
    ),
]

LOOKS = "security/test_hostile_text.py::test_many_specs_on_main_are_parsed_over_several_looks"

LOOK_FAULTS = [
    PlantedFault("shell/observe.py", "if found and path not in asked and ", "if False and ", LOOKS),
    PlantedFault(
        "shell/observe.py",
        "                self._ports.journal.put_hints(facts.id, (Hint(kind=HintKind.MAIN),))\n",
        "",
        LOOKS,
    ),
    PlantedFault(
        "core/decide/specs/plan_new_spec.py",
        "            if is_all_read:\n",
        "            if True:\n",
        "core/test_stories_of_ids.py::test_a_moved_file_keeps_its_ids_even_if_read_later",
    ),
]
