# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""Programs that another group has compiled already, in the same way, from the same sources, with the same tool: half of the tests' time
would go into compiling them again."""
import functools
import hashlib
import os
import pathlib
import shutil
import time

A_DAY = 24 * 60 * 60  # seconds


@functools.lru_cache(maxsize=None)
def hash_of_headers(folder: pathlib.Path) -> str:
    digest = hashlib.sha256()
    for header in sorted(folder.rglob("*.h")):
        digest.update(header.read_bytes())
    return digest.hexdigest()


def place_of(context, source: pathlib.Path, words: list) -> pathlib.Path:
    """Where the program is, or would be."""
    tool = [pathlib.Path(context.ravel), *sorted((context.sources.parent / "share" / "compiler").glob("*"))]
    parts = [str(word) for word in words]
    parts += [source.read_text(encoding="utf-8"), hash_of_headers(source.parent), hash_of_headers(context.sources.parent / "include")]
    parts += [f"{file}:{file.stat().st_mtime_ns}:{file.stat().st_size}" for file in tool]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return context.folder.parent / "built" / key


def take(place: pathlib.Path, target: pathlib.Path) -> bool:
    """Copies the program; False: nobody has built it, or another group has just removed it as too old."""
    try:
        shutil.copy(place, target)
        return True
    except FileNotFoundError:
        return False


def keep(program: pathlib.Path, place: pathlib.Path) -> None:
    """Other groups run at the same time: a program is there as a whole or not at all."""
    place.parent.mkdir(exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.copy(program, part)
    os.replace(part, place)
    for old in place.parent.iterdir():  # of tools that are gone
        try:
            if old.stat().st_mtime < time.time() - A_DAY:
                old.unlink()
        except FileNotFoundError:  # another group has renamed its part, or removed what is old, since the folder was listed
            pass
