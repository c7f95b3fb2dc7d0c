"""The form of a database, compared with that which the tables describe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from bosquet.server.store.migrate import migrate, revisions
from bosquet.server.store.schema import metadata


def form_of(connection: sa.Connection, *targets: str) -> dict[str, Any]:
    """The form of an empty database after some migrations, in an order of its own: an added column stands last."""
    for target in targets:
        migrate(connection, target)
        connection.commit()
    found = sa.inspect(connection)

    def named(rows: Iterable[Any]) -> list[str]:
        return sorted(str(sorted(row.items(), key=str)) for row in rows)

    return {
        table: [
            named(row | {"type": str(row["type"])} for row in found.get_columns(table)),
            found.get_pk_constraint(table),
            named(found.get_indexes(table)),
            named(found.get_unique_constraints(table)),
            named(found.get_foreign_keys(table)),
        ]
        for table in found.get_table_names()
    }


def assert_migrations_give_the_form_of_a_new_one(new: sa.Engine, older: sa.Engine) -> None:
    """Compare a database that was made at once with one that went through all migrations, and both with the tables."""
    with new.connect() as one, older.connect() as other:
        form = form_of(one, "head")
        assert form.keys() == {*metadata.tables, "alembic_version"}
        assert form_of(other, "0001", "head") == form
        versions = [connection.scalars(sa.text("SELECT * FROM alembic_version")).all() for connection in (one, other)]
        assert versions == [[revisions()[0]]] * 2
        for connection in (one, other):
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
