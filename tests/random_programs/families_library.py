# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
"""What the C library keeps for all threads: where a text is taken apart, names, folders, positions in streams."""
from __future__ import annotations

from maker import Maker
from model import Op, Thing

THINGS = (
    Thing("words", "char words[16];", "strcpy(words, \"a b c d e f\"); strtok(words, \" \");"),
    Thing("text_stream", "FILE* text_stream;", "text_stream = tmpfile(); fputs(\"12345678\", text_stream); rewind(text_stream);"),
    Thing("folders", "const char folders[] = \"m0\\0m1\";", "rmdir(\"m0\"); rmdir(\"m1\");"),
    Thing("grown", "int grown;", "grown = fileno(tmpfile());"),
)


def library(maker: Maker) -> Op:
    label, value = maker.label(), maker.value()
    maker.handles = True
    return Op("library", maker.pick([
        f"{{ char* t = strtok(nullptr, sizeof words > 1 ? \" \" : \"\"); o(\"{label}\", t == nullptr ? -1 : t - words); }}",
        f"o(\"{label}\", mkdirat(AT_FDCWD, folders + {3 * (value % 2)}, 0700));",
        f"o(\"{label}\", remove(folders + {3 * (value % 2)}));",
        f"o(\"{label}\", ftell(text_stream));",
        f"o(\"{label}\", fseek(text_stream, {value}, SEEK_SET));",
        f"o(\"{label}\", getc_unlocked(text_stream));",
        f"o(\"{label}\", ftruncate64(grown, {value}));",
        f"{{ struct stat s; fstat(grown, &s); o(\"{label}\", s.st_size); }}",
        f"pthread_setname_np(h0, \"{value}\");",
        f"{{ char n[16]; pthread_getname_np(h0, n, sizeof n); o(\"{label}\", atoi(n)); }}",
    ]))


FAMILIES = {"library": library}
