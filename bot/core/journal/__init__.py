"""Events, effects, state, and the fold from events to state."""
