"""Whoever gives the state another map says what bounds it."""

from tests.shape.state_page import BOUNDS, collections


def test_each_map_and_list_of_the_state_says_what_bounds_it() -> None:
    assert BOUNDS.keys() == collections()
