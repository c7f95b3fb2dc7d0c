"""Brings a database to the present form of its tables, by migrations."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from bosquet.server.store.schema import metadata

MIGRATION_LOCK = 0x626F736D
"""The number of the lock of PostgreSQL under which a database is brought to its form; its bytes are `bosm`."""


def migrate(connection: sa.Connection, target: str = "head") -> None:
    """Bring this database to a form, by default the present one: all of it or nothing.

    An empty database gets the present form at once, another one the migrations that it has not seen yet. Of several
    nodes one does so, and the others wait for it.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver would begin only where rows are changed
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    config = _alembic()
    config.attributes["connection"] = connection
    if target == "head" and not sa.inspect(connection).get_table_names():
        metadata.create_all(connection, checkfirst=False)
        command.stamp(config, target)
    else:
        command.upgrade(config, target)


def revisions() -> list[str]:
    """Return the revisions of the database that this version knows, the present one first."""
    return [script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()]


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
