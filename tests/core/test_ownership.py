"""Folders and files that only the user can have written, and those that others can."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bosquet.kernels.ownership import NotOwnError, own_folder, read_own, write_own
from tests.helpers.rows import each_row

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no modes on Windows")
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")

STRANGER = 4321
"""A user other than the one of the tests and root."""


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Give new files all modes, as the loosest of users do."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_what_is_made_is_writable_by_the_user_alone(tmp_path: Path) -> None:
    folder = own_folder(tmp_path / "a" / "b", make=True)
    write_own(folder / "file", b"content")
    assert read_own(folder / "file") == b"content"
    assert [path.stat().st_mode & 0o022 for path in (folder.parent, folder, folder / "file")] == [0, 0, 0]


def test_a_folder_is_made_only_when_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        own_folder(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_once(tmp_path: Path) -> None:
    (tmp_path / "file").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        write_own(tmp_path / "file", b"content")
    assert not (tmp_path / "elsewhere").exists()


def test_links_and_relative_ways_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real" / "deep").mkdir(0o755, parents=True)
    (tmp_path / "real").chmod(0o755)
    (tmp_path / "absolute").symlink_to(tmp_path / "real")
    (tmp_path / "relative").symlink_to("absolute/deep")
    (tmp_path / "up").symlink_to("real/deep/../../real")
    monkeypatch.chdir(tmp_path)
    for way in ("real/deep", "absolute/deep", "relative", "up/deep", "real/../real/deep"):
        assert own_folder(Path(way)) == tmp_path / "real" / "deep"


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        own_folder(tmp_path / "a")


def test_a_parent_may_be_open_where_only_owners_rename(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)  # as /tmp
    made = own_folder(tmp_path / "shared" / "mine", make=True)
    assert own_folder(made) == made
    with pytest.raises(NotOwnError, match=r"other users can write to .*/shared; run `chmod go-w"):
        own_folder(tmp_path / "shared")


@each_row(("opened", "mode"), [("a", 0o775), ("a", 0o757), ("a/b", 0o775), ("a/b", 0o2777)])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path, opened: str, mode: int) -> None:
    own_folder(tmp_path / "a" / "b", make=True)
    (tmp_path / "link").unlink(missing_ok=True)
    (tmp_path / "link").symlink_to("a/b")
    (tmp_path / opened).chmod(mode)
    for way in "a/b", "link":
        with pytest.raises(NotOwnError, match=re.escape(f"other users can write to {tmp_path / opened}; run `chmod")):
            own_folder(tmp_path / way)
    with pytest.raises(NotOwnError):
        own_folder(tmp_path / "a" / "b" / "c", make=True)
    (tmp_path / opened).chmod(0o755)
    assert not (tmp_path / "a" / "b" / "c").exists()


def test_a_file_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    write_own(tmp_path / "file", b"content")
    (tmp_path / "file").chmod(0o664)
    with pytest.raises(NotOwnError, match=r"other users can write to .*file; run `chmod go-w .*file`"):
        read_own(tmp_path / "file")


def link(path: Path) -> None:
    """Lead elsewhere."""
    path.symlink_to(path.with_name("other"))


@each_row("made", [link, Path.mkdir, os.mkfifo])
def test_only_files_are_read(tmp_path: Path, made: Callable[[Path], None]) -> None:
    (tmp_path / "other").write_bytes(b"content")
    (tmp_path / "other").chmod(0o644)
    path = tmp_path / made.__name__
    made(path)
    with pytest.raises(OSError):
        read_own(path)


@root
@each_row("given", ["a", "a/b", "link", "file"])
def test_what_belongs_to_another_is_refused(tmp_path: Path, given: str) -> None:
    own_folder(tmp_path / "a" / "b", make=True)
    for name in "link", "file":
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "link").symlink_to("a")
    write_own(tmp_path / "file", b"content")
    os.chown(tmp_path / given, STRANGER, -1, follow_symlinks=False)
    with pytest.raises(NotOwnError, match=re.escape(f"{tmp_path / given} belongs to another user")):
        read_own(tmp_path / "file") if given == "file" else own_folder(tmp_path / "link" / "b")
    os.chown(tmp_path / given, 0, -1, follow_symlinks=False)
    assert own_folder(tmp_path / "link" / "b") == tmp_path / "a" / "b"


@root
def test_where_owners_alone_rename_what_is_another_s_is_refused(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    (tmp_path / "shared" / "cache").mkdir(0o755)
    os.chown(tmp_path / "shared" / "cache", STRANGER, -1)
    with pytest.raises(NotOwnError, match="cache belongs to another user"):
        own_folder(tmp_path / "shared" / "cache" / "kernels", make=True)
