"""A site of files is written into its folder alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from bosquet.core.errors import BosquetError
from bosquet.server.host import site


def test_nothing_is_written_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, folder, other = (tmp_path / name for name in ("page", "site", "other"))
    for made in (page, folder, other):
        made.mkdir()
    (page / "index.html").write_text("<head></head>")
    (folder / "docs").symlink_to(other)
    monkeypatch.setattr(site, "PAGE", page)
    with pytest.raises(BosquetError, match=r"docs: is a link"):
        site.write_site(folder, "/", force=True)
    assert (list(other.iterdir()), [path.name for path in folder.iterdir()]) == ([], ["docs"])
    (folder / "docs").unlink()
    assert folder / "index.html" in site.write_site(folder, "/", force=True)


def test_pictures_for_messengers_have_the_whole_address_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text('<head>\n  </head><a href="/rules">')
    monkeypatch.setattr(site, "PAGE", tmp_path)
    for origin in ("", "https://example.org"):
        page = site.index_of("/games/", "rules/topas", origin)
        assert f'content="{origin}/games/previews/' in page
        assert 'href="/games/rules"' in page
