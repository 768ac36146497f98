"""Faults that would let localhub mistake one request for another, or git send one twice."""

from tests.testkit.planting import PlantedFault

FAULTS = [
    PlantedFault(
        "localhub/server.py",
        "body = self.rfile.read(length)",
        'body = b""',
        "test_connections.py::test_an_unread_body_is_not_parsed_as_the_next_request",
    ),
    PlantedFault(
        "localhub/server.py",
        "            or is_git\n",
        "",
        "test_connections.py::test_a_connection_that_may_not_be_used_again_is_closed",
    ),
    PlantedFault(
        "localhub/server.py",
        "return int(length) if int(length) <= _KEPT_BYTES_MAX else None",
        "return int(length)",
        "test_connections.py::test_a_connection_that_may_not_be_used_again_is_closed",
    ),
]
