"""Pulses and counts in SQL, beside the journal."""

import json
from collections.abc import Mapping

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, as_time, insert_of, reading
from bot.adapters.store.tables import counts, pulses
from bot.core.values.vitals import Count, Part, Pulse


class SqlVitals:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._insert = insert_of(engine)

    def beat(self, pulse: Pulse) -> None:
        values = {"part": pulse.part.value, "at": as_text(pulse.at), "says": pulse.says}
        row = self._insert(pulses).values(process=pulse.process, **values)
        with self._engine.begin() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=["process"], set_=values))

    def pulses(self) -> tuple[Pulse, ...]:
        with reading(self._engine) as connection:
            # A newer release may run on the same database: parts that only it knows are left out.
            known = pulses.c.part.in_([part.value for part in Part])
            rows = connection.execute(
                sa.select(pulses).where(known).order_by(pulses.c.process)
            ).all()
        return tuple(
            Pulse(process=row.process, part=Part(row.part), at=as_time(row.at), says=row.says)
            for row in rows
        )

    def forget(self, processes: tuple[str, ...]) -> None:
        with self._engine.begin() as connection:
            connection.execute(pulses.delete().where(pulses.c.process.in_(processes)))

    def add(self, amounts: Mapping[Count, float]) -> None:
        with self._engine.begin() as connection:
            # In one order, so that two processes never wait for each other.
            for count, amount in sorted(amounts.items()):
                labels = json.dumps(count.labels)
                row = self._insert(counts).values(name=count.name, labels=labels, amount=amount)
                connection.execute(
                    row.on_conflict_do_update(
                        index_elements=["name", "labels"],
                        set_={"amount": counts.c.amount + row.excluded.amount},
                    )
                )

    def counts(self) -> Mapping[Count, float]:
        with reading(self._engine) as connection:
            rows = connection.execute(sa.select(counts)).all()
        return {
            Count(
                row.name, tuple((name, value) for name, value in json.loads(row.labels))
            ): row.amount
            for row in rows
        }
