"""How many days each turn of a table has, what happens after that, and until when the turn that is on has time."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """So far every table is played at one sitting.

    The version before goes on. It lets bots stand in at slow tables as at the others, and a turn that passes there
    keeps the deadline of the turn before, which is found to be over when it passes.
    """
    op.add_column("tables", sa.Column("turn_days", sa.Integer))
    op.add_column("tables", sa.Column("late_bot", sa.String(32)))
    op.add_column("tables", sa.Column("late_until_back", sa.Boolean))
    op.add_column("tables", sa.Column("deadline", sa.String(32)))
    op.add_column("tables", sa.Column("due", sa.String(32)))
    op.create_index("ix_tables_due", "tables", ["due"])


def downgrade() -> None:
    """Forget it: games that run go on at one sitting."""
    op.drop_index("ix_tables_due", "tables")
    for column in ("due", "deadline", "late_until_back", "late_bot", "turn_days"):
        op.drop_column("tables", column)
