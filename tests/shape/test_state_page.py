"""Every map in the state names its bound."""

from tests.shape.state_page import BOUNDS, collections


def test_each_collection_of_the_state_names_its_bound() -> None:
    assert BOUNDS.keys() == collections()
