"""The tables: journal, repositories, snapshots, leases, hints, times to wake or wait, orders (`desk`),
prompts with their replies (`questions`), pulses and counts, the inbox.

Events are inserted and never changed. Secrets are not stored: a lease token is kept as
its hash. With SQLite the inbox has a file of its own, so that taking in a delivery never waits for
the journal.
"""

import sqlalchemy as sa

metadata = sa.MetaData()
inbox_metadata = sa.MetaData()

# PostgreSQL counts 64-bit keys, SQLite only increments a plain INTEGER primary key.
_Counter = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

events = sa.Table(
    "events",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("type", sa.String(60), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    # What wrote no version is of the first one; a release from before this column still writes.
    sa.Column("version", sa.Integer, nullable=False, server_default="1"),
)

# One row from a repository's first event on. `folding_until`: a process folds a long journal.
# `stirred` counts how often somebody else than the sweep left hints.
repositories = sa.Table(
    "repositories",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("folding_until", sa.String(40)),
    sa.Column("stirred", sa.BigInteger, nullable=False, server_default="0"),
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("fold_version", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("known_events", sa.String(16)),
)

repository_leases = sa.Table(
    "repository_leases",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("holder", sa.String(200), nullable=False),
    sa.Column("until", sa.String(40), nullable=False),
)

hints = sa.Table(
    "hints",
    metadata,
    sa.Column("number", _Counter, primary_key=True, autoincrement=True),
    sa.Column("repository_id", sa.BigInteger, nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
    # Else SQLite gives the number of a dropped hint to the next one, which might be dropped for it.
    sqlite_autoincrement=True,
)

wake_ups = sa.Table(
    "wake_ups",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("at", sa.String(40), nullable=False, index=True),
)

pauses = sa.Table(
    "pauses",
    metadata,
    sa.Column("whom", sa.String(80), primary_key=True),
    sa.Column("until", sa.String(40), nullable=False),
)

desk = sa.Table(
    "desk",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("order_id", sa.String(40), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("workflow_run", sa.BigInteger),
    sa.Column("lease_hash", sa.String(64), unique=True),
    sa.Column("leased_at", sa.String(40)),
    sa.Column("lease_until", sa.String(40)),
    sa.Column("used_at", sa.String(40)),
    sa.Column("revoked", sa.Boolean, nullable=False),
    sa.Column("report", sa.Text),
    sa.Column("report_digest", sa.String(64)),
)

questions = sa.Table(
    "questions",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("asking", sa.String(40), primary_key=True),
    sa.Column("holder", sa.String(200), nullable=False),
    sa.Column("until", sa.String(40), nullable=False),
    sa.Column("reply", sa.Text),
    # Not used. It goes with a later migration, so that the release before this one can run again.
    sa.Column("batch", sa.Text),
)

# When each process was last alive.
pulses = sa.Table(
    "pulses",
    metadata,
    sa.Column("process", sa.String(200), primary_key=True),
    sa.Column("part", sa.String(40), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("says", sa.Text, nullable=False),
)

# What was counted since the database was made; `labels` is JSON, a list of pairs.
counts = sa.Table(
    "counts",
    metadata,
    sa.Column("name", sa.String(60), primary_key=True),
    sa.Column("labels", sa.Text, primary_key=True),
    sa.Column("amount", sa.Float, nullable=False),
)

deliveries = sa.Table(
    "deliveries",
    inbox_metadata,
    sa.Column("id", sa.String(100), primary_key=True),
    sa.Column("event", sa.String(100), nullable=False),
    sa.Column("received_at", sa.String(40), nullable=False),
    sa.Column("is_read", sa.Boolean, nullable=False, index=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
