"""The devices of guests, codes that take a guest to another device, phrases that bring one back, and names."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """So far each guest has one device, of which nothing is kept.

    The version before goes on. It does not know of devices, so it lets one in that was signed out.
    """
    op.create_table(
        "devices",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("browser", sa.String(16)),
        sa.Column("system", sa.String(16)),
        sa.Column("first_day", sa.String(10), nullable=False),
        sa.Column("last_day", sa.String(10), nullable=False, index=True),
        sa.Column("revoked", sa.String(10)),
    )
    op.create_table(
        "transfers",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False, index=True),
        sa.Column("claimed", sa.BigInteger),
    )
    op.create_table(
        "phrases",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("device", sa.BigInteger, nullable=False),
        sa.Column("made", sa.String(10), nullable=False),
    )
    op.create_table(
        "identities",
        sa.Column("guest", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Forget it."""
    for table in ("identities", "phrases", "transfers", "devices"):
        op.drop_table(table)
