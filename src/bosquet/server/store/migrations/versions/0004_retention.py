"""When a table was last in use, so that nothing is kept for ever, and the journals of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Note it from now on. The version before goes on: it knows neither, and needs neither."""
    op.add_column("tables", sa.Column("touched", sa.String(10)))
    op.execute("UPDATE tables SET touched = substr(COALESCE(ended, started, opened), 1, 10)")
    op.create_index("ix_tables_phase_touched", "tables", ["phase", "touched"])
    op.create_table(
        "packed",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("entries", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Forget it. Journals that were packed are lost."""
    op.drop_table("packed")
    op.drop_index("ix_tables_phase_touched", "tables")
    op.drop_column("tables", "touched")
