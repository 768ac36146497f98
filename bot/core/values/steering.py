"""Files of a change that steer how it is judged."""

from bot.core.values.ids import Frozen


class Steering(Frozen):
    """What a candidate changes of the files that decide how gates run.

    `runner`: what a gate's line names or its runner reads. `setup`: what the policy's setup depends on.
    `shadows`: new files that a runner would take for itself, its libraries or its start-up hooks.
    `digest` names the contents of `runner` and `setup`.
    """

    runner: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    shadows: tuple[str, ...] = ()
    digest: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """What a person may allow."""
        return tuple(dict.fromkeys((*self.runner, *self.setup)))
