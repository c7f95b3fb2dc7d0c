"""The tables of the database, and the migrations that bring an older one to this form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

NO_JSON = object()
"""Stands for a value that is no JSON."""


class StoredJson(sa.TypeDecorator[Any]):
    """JSON. A value that is none is read as `NO_JSON`, so that it does not hide the rows beside it."""

    impl = sa.JSON
    cache_ok = True

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        """Return the function that reads a value."""
        process = super().result_processor(dialect, coltype)

        def read(value: Any) -> Any:
            try:
                return value if process is None else process(value)
            except ValueError:
                return NO_JSON

        return read


metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("options", StoredJson, nullable=False),
    sa.Column("box", StoredJson),
    sa.Column("phase", sa.String(8), nullable=False, index=True),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("invitation", sa.String(64), nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("host", sa.String(64)),
    sa.Column("turn", sa.Integer),
    sa.Column("result", StoredJson),
    sa.Column("rematch", sa.String(32)),
    sa.Column("duel", StoredJson),
    sa.Column("opened", sa.String(32), nullable=False, index=True),
    sa.Column("started", sa.String(32)),
    sa.Column("ended", sa.String(32)),
    sa.Column("touched", sa.String(10)),
    sa.Column("assistance", sa.String(8), nullable=False, server_default="full"),
    sa.Index("ix_tables_phase_touched", "phase", "touched"),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.String(32)),
    sa.Column("name", sa.String(32)),
    sa.Column("guest", sa.String(64), index=True),
    sa.Column("nonce", sa.String(32)),
    sa.Column("shelved", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("program", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("agrees", sa.String(8)),
    sa.Column("left", sa.String(8)),
    sa.Column("left_by", sa.String(64), index=True),
)
journal = sa.Table(
    "journal",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("text", sa.String(400), nullable=False),
)
packed = sa.Table(
    "packed",
    metadata,
    sa.Column("table_id", sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("entries", sa.LargeBinary, nullable=False),
)
"""The journals of games that were over long ago, each as one value, in the place of their rows."""
devices = sa.Table(
    "devices",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("browser", sa.String(16)),
    sa.Column("system", sa.String(16)),
    sa.Column("first_day", sa.String(10), nullable=False),
    sa.Column("last_day", sa.String(10), nullable=False, index=True),
    sa.Column("revoked", sa.String(10)),
)
"""The devices of those guests who have looked after them; see `server/devices.py`."""
transfers = sa.Table(
    "transfers",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("device", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    sa.Column("claimed", sa.BigInteger),
)
"""The last code of each guest: the device that made it, until when it counts, and the device that came by it."""
phrases = sa.Table(
    "phrases",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),
    sa.Column("device", sa.BigInteger, nullable=False),
    sa.Column("made", sa.String(10), nullable=False),
)
"""The recovery phrase of each guest who has one: its slow hash, and the device that made it."""
identities = sa.Table(
    "identities",
    metadata,
    sa.Column("guest", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False),
)
"""What a guest is called on all its devices."""


def migrate(connection: sa.Connection, target: str = "head") -> None:
    """Run the migrations that this database has not seen yet: all of them or none."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver would begin only where rows are changed
    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, target)


def revisions() -> list[str]:
    """Return the revisions of the database that this version knows, the present one first."""
    return [script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()]


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
