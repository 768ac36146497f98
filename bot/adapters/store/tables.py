"""The tables: journal, repositories, snapshots, leases, hints, times to wake or wait, orders (`desk`) with
transcripts of their runs, prompts with their replies (`questions`), readings, blobs, pulses and counts, the
inbox, troubles.

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

# Older names than our words, as `questions` below: a release that is rolled back to reads these tables.
orders = sa.Table(
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
    # What people told the run since it was ordered, and what it is doing; JSON.
    sa.Column("told", sa.Text),
    sa.Column("doing", sa.Text),
    # When its change's issue last showed what it does, and what that was.
    sa.Column("shown_at", sa.String(40)),
    sa.Column("shown", sa.String(64)),
    # What its runner handed in takes so many bytes, with what is on its way; and its last bundle.
    sa.Column("kept_bytes", sa.BigInteger),
    sa.Column("bundle_digest", sa.String(64)),
    # The workflow file that may hold its lease, as it was approved; JSON.
    sa.Column("workflow_file", sa.Text),
)

# What runs say and do, as they hand it on: `lines` are events, one a line, `first` is the first's number.
transcripts = sa.Table(
    "transcripts",
    metadata,
    sa.Column("repository_id", sa.BigInteger, primary_key=True),
    sa.Column("order_id", sa.String(40), primary_key=True),
    sa.Column("first", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(40), nullable=False, index=True),
    sa.Column("lines", sa.Text, nullable=False),
)

prompts = sa.Table(
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

# What was read of pulls that touch specs, by content; `body` is missing while somebody reads.
readings = sa.Table(
    "readings",
    metadata,
    sa.Column("key", sa.String(100), primary_key=True),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary),
)

# Bundles and reports by their content, in pieces; used where DATABASE_URL is set.
blob_parts = sa.Table(
    "blob_parts",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

# What was counted since the database was made; `labels` is JSON, a list of pairs.
counts = sa.Table(
    "counts",
    metadata,
    sa.Column("name", sa.String(60), primary_key=True),
    sa.Column("labels", sa.Text, primary_key=True),
    sa.Column("amount", sa.Float, nullable=False),
)

# What keeps failing. In the inbox's database: it may be a delivery, and that database never waits for the journal.
troubles = sa.Table(
    "troubles",
    inbox_metadata,
    sa.Column("kind", sa.String(20), primary_key=True),
    sa.Column("about", sa.String(100), primary_key=True),
    sa.Column("since", sa.String(40), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("until", sa.String(40), nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("progress", sa.BigInteger, nullable=False),
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
