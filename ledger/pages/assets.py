"""The files of the page as they are sent: read once, and kept under the hash of them all.

There is no build step. What a build would do is done here when they are read: modules that are named (`preact`) are
given the address of the file in `vendor` (an import map, which a page may not have without a script of its own), the
style sheets become one, and the page says which modules its first view needs, so that a browser asks for all of them at
once and not for one after the other.

As the hash stands in every address, an answer may be kept for ever, and modules of two releases never meet.
"""

from __future__ import annotations

import logging
import posixpath
import re
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import msgspec

from ledger.budget import breathe
from ledger.language import LANGUAGES, SOURCE, words_of
from ledger.pages.joining import Modules, NotJoined
from ledger.records import Record

LOG = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "static"

ALL_STYLES = "css/all.css"
FIRST_MODULE, FIRST_VIEW = "js/main.js", "js/views/start.js"
FIRST_FILE, REST_FILE = "first.js", "rest.js"
"""What the page begins with, and all else that it may need, each joined of many modules."""

ASKED_FOR_ALONE = ("uplot", "qrcode-generator")
"""Modules of others that are large and seldom needed."""

AT_THE_ROOT = frozenset({"page.html", "sw.js", "manifest.webmanifest"})
"""Files with addresses of their own, which are asked for anew each time."""

KINDS: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    "": "text/plain; charset=utf-8",  # a licence
}
"""What is served, by how its name ends, and as what. Other files are for those who write the page."""

MODULES: Mapping[str, str] = {
    "preact": "vendor/preact/preact.mjs",
    "preact/hooks": "vendor/preact/hooks.mjs",
    "@preact/signals-core": "vendor/signals-core/signals-core.mjs",
    "@preact/signals": "vendor/signals/signals.mjs",
    "htm": "vendor/htm/htm.mjs",
    "uplot": "vendor/uplot/uPlot.iife.min.js",
    "qrcode-generator": "vendor/qrcode-generator/qrcode.mjs",
}
"""Where the modules are that are imported by name."""

EXPORTS: Mapping[str, str] = {MODULES["uplot"]: "\nexport default uPlot;\n"}
"""What is added to a script to make a module of it: of uPlot, only the script is made small by its author."""

SPECIFIER = re.compile(r"""(?<![\w.$])((?:from|import)\s*\(?\s*)(["'])([^"'\n]+)\2""")
STATIC_IMPORT = re.compile(r"""(?<![\w.$])(?:from|import)\s*(["'])([^"'\n]+)\1""")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

HARDEST = 9
GZIP = 31
"""What zlib calls gzip's own way of writing, with the largest window."""


class Asset(Record, dict=True, gc=True):
    """A file as it is sent."""

    body: bytes
    kind: str

    @cached_property
    def packed(self) -> bytes | None:
        """The same by gzip, as small as it gets; None if that is not worth while."""
        packer = zlib.compressobj(HARDEST, wbits=GZIP)
        packed = packer.compress(self.body) + packer.flush()
        return packed if len(packed) < 0.9 * len(self.body) else None

    @cached_property
    def tag(self) -> str:
        """A few characters that another body will not have."""
        return sha256(self.body).hexdigest()[:16]


class Assets:
    """All files of the page. `release` is the hash that stands in their addresses."""

    def __init__(self, files: Mapping[str, bytes], *, joined: bool = True) -> None:
        found = sha256()
        for path, body in sorted(files.items()):
            found.update(f"{path}\0{len(body)}\0".encode() + body)
        self.release = found.hexdigest()[:16]
        self.base = f"/page/{self.release}/"
        self._files = {path: Asset(made(path, body), kind_of(path)) for path, body in files.items()}
        self._files[ALL_STYLES] = Asset(b"\n".join(styles(files)), KINDS[".css"])
        self._begins_with = [FIRST_FILE] if joined and self._join() else self.needed(FIRST_MODULE)
        for path in AT_THE_ROOT & files.keys():
            self._files[path] = Asset(self._filled(files[path].decode()).encode(), kind_of(path))

    def find(self, path: str) -> Asset | None:
        """Find a file with the hash in its address."""
        return None if path in AT_THE_ROOT else self._files.get(path)

    def at_the_root(self, path: str) -> Asset:
        """Give a file with an address of its own."""
        return self._files[path]

    def _join(self) -> bool:
        """Join the modules into two files, if they can be."""
        alone = {MODULES[name] for name in ASKED_FOR_ALONE}
        modules = {
            path: asset.body.decode()
            for path, asset in self._files.items()
            if asset.kind == KINDS[".js"] and path not in alone | AT_THE_ROOT
        }
        held = Modules(modules)
        first = [FIRST_MODULE, FIRST_VIEW, *held.all_needed(FIRST_MODULE), *held.all_needed(FIRST_VIEW)]
        try:
            joined = {
                FIRST_FILE: held.first_file(dict.fromkeys(first), FIRST_MODULE, REST_FILE),
                REST_FILE: held.rest_file(sorted(modules.keys() - set(first)), FIRST_FILE),
            }
        except NotJoined:
            LOG.exception("The modules of the page cannot be joined; they are sent one by one")
            return False
        self._files |= {path: Asset(text.encode(), KINDS[".js"]) for path, text in joined.items()}
        return True

    def _filled(self, text: str) -> str:
        """Put the addresses of this release into a file.

        `page:` stands before each, `{modules}` for links to those that the first view needs, `{files}` for all that the
        page needs to be shown.
        """
        links = (f'<link rel="modulepreload" href="{self.base}{path}">' for path in self._begins_with)
        shown = (f"{self.base}{path}" for path in sorted(self._files) if self._is_shown(path))
        places = {
            "{modules}": "\n".join(links),
            "{first}": self.base + self._begins_with[0],
            "{files}": " ".join(shown),
            "{release}": self.release,
        }
        for place, told in places.items():
            text = text.replace(place, told)
        return re.sub(r'(?<=")page:(?=[\w/.-]+")', self.base, text)

    def _is_shown(self, path: str) -> bool:
        """Say whether the page needs a file to be shown."""
        is_a_part = path.endswith(".css") and path != ALL_STYLES
        if FIRST_FILE in self._files and self._files[path].kind == KINDS[".js"]:
            is_a_part = path not in {FIRST_FILE, REST_FILE, *(MODULES[name] for name in ASKED_FOR_ALONE)}
        is_for_who_installs = path.endswith((".png", ".webmanifest", "LICENSE"))
        return path not in AT_THE_ROOT and not is_a_part and not is_for_who_installs

    def needed(self, first: str) -> list[str]:
        """List a module and all that it imports, and that these import, without what is asked for later."""
        found = [first]
        for path in found:
            text = COMMENT.sub("", self._files[path].body.decode())
            for _, specifier in STATIC_IMPORT.findall(text):
                address = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
                if address in self._files and address not in found:
                    found.append(address)
        return found


def kind_of(path: str) -> str:
    """Say as what a file is served."""
    return KINDS[posixpath.splitext(path)[1]]


def made(path: str, body: bytes) -> bytes:
    """Give a module with the addresses of what it imports, and anything else as it is."""
    if not kind_of(path).startswith("text/javascript"):
        return body
    breathe()

    def addressed(found: re.Match[str]) -> str:
        before, quote, name = found.groups()
        return f"{before}{quote}{relative(path, MODULES[name]) if name in MODULES else name}{quote}"

    return (SPECIFIER.sub(addressed, body.decode()) + EXPORTS.get(path, "")).encode()


def relative(path: str, other: str) -> str:
    """Give the address of a file as another one imports it."""
    address = posixpath.relpath(other, posixpath.dirname(path))
    return address if address.startswith(".") else f"./{address}"


def styles(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """List the style sheets: first the paper, on which the others lie."""
    paths = [path for path in files if path.endswith(".css")]
    for path in sorted(paths, key=lambda path: (path != "css/paper.css", not path.startswith("vendor/"), path)):
        yield files[path]


def read(folder: Path = FOLDER) -> dict[str, bytes]:
    """Read every file that is served, by its path, and make those of the page's words."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in served(folder)}
    words = {language: msgspec.json.encode(words_of("page", language)) for language in LANGUAGES if language != SOURCE}
    return files | {f"words/{language}.json": told for language, told in words.items()}


def served(folder: Path = FOLDER) -> list[Path]:
    """List the files that are served."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix in KINDS)
    return sorted(path for path in found if path.name != "sources.json")
