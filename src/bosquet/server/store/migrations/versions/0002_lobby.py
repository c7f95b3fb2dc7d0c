"""What the lobby tells of a table: who opened it, whose turn it is, how it ended; and who wants to see it no more."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# Where all the people at a waiting table are one guest, that guest opened it.
FIND_HOSTS = """
UPDATE tables SET host = (
    SELECT MIN(guest) FROM seats WHERE seats.table_id = tables.id HAVING COUNT(DISTINCT guest) = 1
) WHERE phase = 'waiting'
"""


def upgrade() -> None:
    """Note it from now on."""
    op.add_column("tables", sa.Column("host", sa.String(64)))
    op.add_column("tables", sa.Column("turn", sa.Integer))
    op.add_column("tables", sa.Column("result", sa.JSON))
    op.add_column("seats", sa.Column("shelved", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(FIND_HOSTS)


def downgrade() -> None:
    """Forget it."""
    for column in ("host", "turn", "result"):
        op.drop_column("tables", column)
    op.drop_column("seats", "shelved")
