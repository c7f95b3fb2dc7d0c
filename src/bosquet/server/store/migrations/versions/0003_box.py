"""What is in the box of a table's game, where it is not that of the house."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Keep it from now on; tables from before have the box of the house."""
    op.add_column("tables", sa.Column("box", sa.JSON))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("tables", "box")
