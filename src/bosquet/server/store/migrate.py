"""Brings a database to the present form of its tables, by migrations.

Alembic is imported only for a database of another form: it takes 20 MB.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from bosquet.server.store.schema import metadata

MIGRATION_LOCK = 0x626F736D
"""The number of the lock of PostgreSQL under which a database is brought to its form; its bytes are `bosm`."""
MIGRATIONS = Path(__file__).with_name("migrations")
VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic keeps which form a database has."""


class NewerFormError(Exception):
    """A database has a form that this version does not know."""


def migrate(connection: sa.Connection, target: str = "head") -> None:
    """Bring this database to a form, by default the present one: all of it or nothing.

    An empty database gets the present form at once, another one the migrations that it has not seen yet. Of several
    nodes one does so, and the others wait for it. Raises NewerFormError.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # Python's driver would begin only where rows are changed
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    known = revisions()
    there = sa.inspect(connection).get_table_names()
    form = connection.scalar(sa.select(VERSION.c.version_num)) if VERSION.name in there else None
    if form is not None and form not in known:
        raise NewerFormError
    if target == "head" and not there:
        metadata.create_all(connection, checkfirst=False)
        VERSION.create(connection)
        connection.execute(sa.insert(VERSION).values(version_num=known[0]))
    elif form != (known[0] if target == "head" else target):
        _upgrade(connection, target)


def revisions() -> list[str]:
    """Return the revisions of the database that this version knows, the present one first."""
    files = (MIGRATIONS / "versions").glob("[0-9]*.py")
    return sorted((file.name.partition("_")[0] for file in files), reverse=True)


def _upgrade(connection: sa.Connection, target: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
