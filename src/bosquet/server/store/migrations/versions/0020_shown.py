"""The guests who let their fellow players see that they are here."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """So far nobody is shown. The version before goes on, and shows nobody."""
    op.create_table("shown", sa.Column("guest", sa.String(64), primary_key=True))


def downgrade() -> None:
    """Forget it."""
    op.drop_table("shown")
