"""Build the page at the table: `python -m ledger.web.build` makes `static` of `source`.

Only this module needs Node.js with npm: its output is committed. esbuild bundles scripts and styles into files with a
hash in their names, which the page, its service worker and its manifest refer to: `page:…` is the output of a source,
`{modules}` are the imports of the first module, `{files}` what the service worker caches.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from ledger.i18n.language import LANGUAGES, SOURCE, catalog

SOURCES, BUILT = Path(__file__).with_name("source"), Path(__file__).with_name("static")
HASHED, PACKAGES = BUILT / "page", SOURCES / "node_modules"
ENTRIES = ("js/main.js", "css/page.css", "css/beside.css", "icons/icon.svg", "icons/*.png")
BUNDLED = ("--bundle", "--splitting", "--format=esm", "--target=es2022", "--minify", "--legal-comments=none")
NAMED = ("--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", "--loader:.png=copy", "--loader:.svg=copy")


def words() -> dict[str, bytes]:
    """Give the page's words in each language but that of the scripts, and what a table says instead, as JSON."""
    domains = {"": "page", "-table": "table"}
    found = {f"{each}{of}": catalog(each, name) for each in LANGUAGES if each != SOURCE for of, name in domains.items()}
    return {name: json.dumps(each, ensure_ascii=False).encode() for name, each in found.items()}


def hash_of_sources() -> str:
    """Give the first 16 hexadecimal digits of the hash of all sources but the types."""
    files = {path.relative_to(SOURCES): path for path in SOURCES.rglob("*") if path.is_file() and path.suffix != ".ts"}
    parts = {str(path): file.read_bytes() for path, file in files.items() if path.parts[0] != PACKAGES.name}
    found = sha256(Path(__file__).read_bytes())
    for name, body in sorted({**parts, **words()}.items()):
        found.update(f"{name}\0{len(body)}\0".encode() + body)
    return found.hexdigest()[:16]


def hashed(name: str, body: bytes) -> str:
    """Write a file with its hash in its name, and give its address."""
    file = HASHED / name.replace(".", f"-{sha256(body).hexdigest()[:8].upper()}.")
    file.write_bytes(body)
    return f"/page/{file.name}"


def build() -> None:
    installed, esbuild, metafile = (PACKAGES / name for name in (".package-lock.json", ".bin/esbuild", ".built.json"))
    if not installed.exists() or installed.stat().st_mtime < (SOURCES / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci"], cwd=SOURCES, check=True)  # noqa: S607
    shutil.rmtree(BUILT, ignore_errors=True)
    HASHED.mkdir(parents=True)
    addresses = {language: hashed(f"{language}.json", body) for language, body in words().items()}
    where = (f"--define:WORDS={json.dumps(addresses)}", f"--outdir={HASHED}", f"--metafile={metafile}")
    subprocess.run([esbuild, *ENTRIES, *BUNDLED, *NAMED, *where], cwd=SOURCES, check=True)  # noqa: S603
    outputs = {f"/page/{Path(name).name}": each for name, each in json.loads(metafile.read_text())["outputs"].items()}
    built = {f"page:{each['entryPoint']}": name for name, each in outputs.items() if "entryPoint" in each}
    first = [built["page:js/main.js"]]
    for address in first:
        static = (each["path"] for each in outputs[address]["imports"] if each["kind"] == "import-statement")
        first += [other for path in static if (other := f"/page/{Path(path).name}") not in first]
    places = built | {
        "{build}": hash_of_sources(),
        "{files}": " ".join(sorted(kept for kept in (*outputs, *addresses.values()) if not kept.endswith(".png"))),
        "{licenses}": hashed("licenses.txt", licenses(metafile.read_text())),
        "{modules}": "\n".join(f'<link rel="modulepreload" href="{address}">' for address in first[1:]),
    }
    place = re.compile("|".join(map(re.escape, places)))
    for name in ("page.html", "sw.js", "manifest.webmanifest"):
        text = (SOURCES / name).read_text("utf-8")
        (BUILT / name).write_text(place.sub(lambda found: places[found[0]], text), "utf-8")


def licenses(metafile: str) -> bytes:
    """Give the licences of all bundled packages; the folder `licenses` has those that a package lacks."""
    found = dict.fromkeys(sorted(re.findall(r'"node_modules/((?:@[^/]+/)?[^/]+)/', metafile)))
    files = ((PACKAGES / name / "LICENSE", SOURCES / "licenses" / f"{name}.txt") for name in found)
    texts = (next(file for file in each if file.exists()).read_text("utf-8") for each in files)
    return "\n".join(f"{name}\n\n{text}" for name, text in zip(found, texts, strict=True)).encode()


if __name__ == "__main__":
    build()
