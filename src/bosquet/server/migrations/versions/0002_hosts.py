"""Who opened a table."""

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
    """Note the host of every table."""
    op.add_column("tables", sa.Column("host", sa.String(64)))
    op.execute(FIND_HOSTS)


def downgrade() -> None:
    """Forget the hosts."""
    op.drop_column("tables", "host")
