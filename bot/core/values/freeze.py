"""Why nothing lands: each cause ends by itself or by whoever set it, and by nothing else."""

from enum import StrEnum


class FreezeCause(StrEnum):
    """What froze the queue: main's gates, a main that was moved back, a person, an adopted commit,
    smoke gates after a landing."""

    RED_MAIN = "red_main"
    REWOUND = "rewound"
    PERSON = "person"
    ADOPTED = "adopted"
    SMOKE = "smoke"


# Main is not sound: nothing is built on it, and no agent starts from it.
OF_MAIN = (FreezeCause.REWOUND, FreezeCause.RED_MAIN)

# Lifted by a person, and that of smoke gates also by their green: gates and agents go on.
OF_PEOPLE = (FreezeCause.PERSON, FreezeCause.ADOPTED, FreezeCause.SMOKE)
