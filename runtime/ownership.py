"""Whose files and folders are: code that a cache holds is run only where nobody else could have put it there.

On systems without owners of POSIX's kind (Windows) everything counts as the user's own.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0
_MAX_LINKS = 40
_HAVE_OWNERS = hasattr(os, "geteuid")


def why_foreign(status: os.stat_result) -> str:
    """Return why what has a status is not the user's alone; empty if it is."""
    if not _HAVE_OWNERS:
        return ""
    if status.st_uid != os.geteuid():
        return f"it belongs to user {status.st_uid}, and this process runs as user {os.geteuid()}"
    return "others may write it" if status.st_mode & OTHERS_MAY_WRITE else ""


def why_unsafe_way(folder: Path) -> str:
    """Return why somebody else could put another folder in the place of an absolute path; empty if nobody can.

    Each folder on the way, and each link, belongs to the user or to root; others may write to it only where it is
    sticky, as `/tmp` is, or by a group of the user alone. What is not there yet, nobody else can make.
    """
    pending, place, links = [*reversed(folder.parts[1:])], Path(folder.anchor), 0
    while _HAVE_OWNERS:
        try:
            status = os.lstat(place)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            return f"'{place}': {error.strerror}"
        if status.st_uid not in (ROOT, os.geteuid()):
            return f"'{place}' belongs to user {status.st_uid}"
        if stat.S_ISLNK(status.st_mode):
            target, links = Path(os.readlink(place)), links + 1
            if links > _MAX_LINKS:
                return f"'{folder}' leads through too many links"
            pending += reversed(target.parts[1:] if target.is_absolute() else target.parts)
            place = Path(target.anchor) if target.is_absolute() else place.parent
            continue
        if not pending:
            return ""
        if status.st_mode & OTHERS_MAY_WRITE and not status.st_mode & stat.S_ISVTX and not _is_own_group(status):
            return f"others may write to '{place}'"
        part = pending.pop()
        place = place.parent if part == ".." else place / part
    return ""


def _is_own_group(status: os.stat_result) -> bool:
    """Return whether only the group may write, and has its user alone: many systems make such a group for each."""
    import grp
    import pwd

    if status.st_mode & stat.S_IWOTH:
        return False
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    is_own = group.gr_gid == user.pw_gid and group.gr_name == user.pw_name
    return is_own and set(group.gr_mem) <= {user.pw_name}


def is_own_folder(folder: Path) -> bool:
    """Return whether a folder is there and the user's alone. The mode of one that is the user's is mended."""
    try:
        status = os.lstat(folder)
        if not stat.S_ISDIR(status.st_mode) or (_HAVE_OWNERS and status.st_uid != os.geteuid()):
            return False
        if why_foreign(status):
            os.chmod(folder, stat.S_IMODE(status.st_mode) & ~OTHERS_MAY_WRITE)
    except OSError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Makes a folder that is the user's alone, whatever the umask is, and so those that it is in and that are missing.

    Raises an OSError where that can't be.
    """
    if not folder.parent.exists():
        make_folder(folder.parent)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        return
    os.chmod(folder, 0o700)
