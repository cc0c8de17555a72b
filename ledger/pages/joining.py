"""Modules that are asked for together, joined into one file: a phone far away waits for each request.

A joined file holds each module as a function, which runs when another module first imports it, and once:

    import { html } from "../core/html.js";        const { html: html } = $use("js/core/html.js");
    export function Sheet() {                      $give($own, { "Sheet": () => Sheet }); … function Sheet() {
    await import("./views/log.js")                 await $later("js/views/log.js")

What is exported is looked up when it is imported; modules that import one another in a ring look it up when they call
it, so they may give one another functions and nothing else. Comments are left out. Only what our own modules and those
few of others say is understood: imports and exports at the beginning of a line, or in a file that was made small.
Anything else is `NotJoined`, and then the modules are asked for one by one, as they are while they are written.

The rest is fetched soon after the page stands, so that nothing is missing where the network is bad later on. A browser
does not ask again for a module that once did not come, so then it is asked for by another address.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping

from ledger.budget import breathe

RUNTIME = """\
const $held = new Map(), $made = new Map();
export const $hold = (modules) => { for (const path in modules) $held.set(path, modules[path]); };
export const $give = (own, found) => {
  for (const name in found) Object.defineProperty(own, name, { get: found[name] });
};
export const $use = (path) => {
  let own = $made.get(path);
  if (!own) { $made.set(path, own = {}); $held.get(path)(own); }
  return own;
};
let $tries = 0;
const $fetch = () => import($tries ? `./%(rest)s?${$tries}` : "./%(rest)s").catch((failed) => {
  $tries += 1;
  throw failed;
});
export const $later = async (path) => {
  if (!$held.has(path)) await $fetch();
  return $use(path);
};
const $soon = () => $fetch().catch(() => {});
if (location.hash.startsWith("#/s/")) void $soon();
else addEventListener("load", () => setTimeout($soon, 2000));
"""
IMPORTED = 'import { $hold, $give, $use, $later } from "./%s";\n'

DOCUMENTED = re.compile(r"/\*\*.*?\*/", re.DOTALL)
LINE_COMMENT = re.compile(r"^[ \t]*//.*\n?", re.MULTILINE)

NAMES = r"\{(?P<names>[^}]*)\}"
SOURCE = r"""\s*"(?P<path>[^"]+)"\s*;?"""
NAMED = r"(?P<kind>(?:async )?function\*? |class "
IMPORT = re.compile(rf"^import\s*(?:(?P<default>\w+)\s*,?\s*)?(?:{NAMES})?\s*(?:from)?{SOURCE}", re.MULTILINE)
IMPORT_ALL = re.compile(rf"^import\s*\*\s*as\s+(?P<all>\w+)\s+from{SOURCE}", re.MULTILINE)
EXPORT_FROM = re.compile(rf"^export\s*{NAMES}\s*from{SOURCE}", re.MULTILINE)
IMPORTS = (IMPORT, IMPORT_ALL, EXPORT_FROM)
EXPORT_NAMES = re.compile(rf"^export\s*{NAMES}\s*;?", re.MULTILINE)
EXPORT_DEFAULT = re.compile(rf"^export default {NAMED})?(?P<name>(?(kind)[\w$]+))", re.MULTILINE)
EXPORT = re.compile(rf"^export {NAMED}|const )(?P<name>[\w$]+)", re.MULTILINE)
LATER = re.compile(r"""(?<![\w.$])import\(\s*"(?P<path>[^"]+)"\s*\)""")
LEFT = re.compile(r"""^(?:import|export)\b(?!\.meta)|(?<![\w.$])import\s*\((?!")|import\.meta(?!\.url)""", re.MULTILINE)
"""What would mean something else in a joined file than it does in a module."""


class NotJoined(Exception):
    """A module says something that is not understood here."""


class Modules:
    """The modules that may be joined, by their paths."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = {path: bare(text, is_small=path.startswith("vendor/")) for path, text in texts.items()}
        self._needs = {
            path: {address(path, found["path"]) for pattern in IMPORTS for found in pattern.finditer(text)}
            for path, text in self.texts.items()
        }

    def first_file(self, paths: Iterable[str], entry: str, rest: str) -> str:
        """Join those that the page begins with. The last thing is to run `entry`, which may wait for something.

        Nothing waits for that: whatever is in the rest could not come before.
        """
        held = [path for path in paths if path != entry]
        begun = f"void (async ($own) => {{\n{_Writing(self, entry).written()}\n}})({{}});\n"
        return RUNTIME % {"rest": rest} + self._holding(held) + begun

    def rest_file(self, paths: Iterable[str], first: str) -> str:
        """Join those that are needed later."""
        return IMPORTED % first + self._holding(paths)

    def _holding(self, paths: Iterable[str]) -> str:
        told = (f"{json.dumps(path)}: ($own) => {{\n{_Writing(self, path).written()}\n}}" for path in paths)
        return "$hold({\n" + ",\n".join(told) + "\n});\n"

    def all_needed(self, first: str) -> list[str]:
        """List what a module imports, and what that imports; it is among them itself if that is a ring."""
        found = dict.fromkeys(self._needs.get(first, ()))
        waiting = list(found)
        while waiting:
            for path in self._needs.get(waiting.pop(), ()):
                if path not in found:
                    found[path] = None
                    waiting.append(path)
        return list(found)


class _Writing:
    """What one module does when it is run."""

    def __init__(self, modules: Modules, path: str) -> None:
        self._modules = modules
        self._path = path
        self._given: dict[str, str] = {}

    def written(self) -> str:
        """Write it. Raises NotJoined."""
        breathe()
        text = self._modules.texts[self._path]
        for pattern, write in (
            (IMPORT, self._imports),
            (IMPORT_ALL, self._imports_all),
            (EXPORT_FROM, self._exports_from),
            (EXPORT_NAMES, self._exports_names),
            (EXPORT_DEFAULT, self._exports_default),
            (EXPORT, self._exports),
            (LATER, self._later),
        ):
            text = pattern.sub(write, text)
        if left := LEFT.search(text):
            raise NotJoined(f"{self._path}: {text[left.start() : left.start() + 80]}")
        text = text.replace("import.meta.url", f"new URL({json.dumps(self._path)}, import.meta.url).href")
        told = ", ".join(f"{json.dumps(name)}: () => {what}" for name, what in self._given.items())
        return f"$give($own, {{ {told} }});\n{text}" if self._given else text

    def _used(self, found: re.Match[str]) -> str:
        wanted = address(self._path, found["path"])
        if wanted not in self._modules.texts:
            raise NotJoined(f"{self._path}: {found[0]}")
        return f"$use({json.dumps(wanted)})"

    def _imports(self, found: re.Match[str]) -> str:
        source, names = self._used(found), list(pairs(found["names"]))
        names += [("default", found["default"])] if found["default"] else []
        if not names:
            return f"{source};"
        if self._path in self._modules.all_needed(address(self._path, found["path"])):
            called = (f"{own} = (...said) => {source}.{name}(...said)" for name, own in names)
            return f"const {', '.join(called)};"
        return f"const {{ {', '.join(f'{name}: {own}' for name, own in names)} }} = {source};"

    def _imports_all(self, found: re.Match[str]) -> str:
        return f"const {found['all']} = {self._used(found)};"

    def _exports_from(self, found: re.Match[str]) -> str:
        source = self._used(found)
        self._given |= {other: f"{source}.{name}" for name, other in pairs(found["names"])}
        return f"{source};"

    def _exports_names(self, found: re.Match[str]) -> str:
        self._given |= {other: name for name, other in pairs(found["names"])}
        return ""

    def _exports_default(self, found: re.Match[str]) -> str:
        self._given["default"] = found["name"] or "$default"
        return f"{found['kind']}{found['name']}" if found["kind"] else "const $default = "

    def _exports(self, found: re.Match[str]) -> str:
        self._given[found["name"]] = found["name"]
        return f"{found['kind']}{found['name']}"

    def _later(self, found: re.Match[str]) -> str:
        wanted = address(self._path, found["path"])
        is_held = wanted in self._modules.texts
        return f"$later({json.dumps(wanted)})" if is_held else f"import({json.dumps(f'./{wanted}')})"


def address(path: str, specifier: str) -> str:
    """Give the path of what a module imports."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))


def bare(text: str, *, is_small: bool) -> str:
    """Leave out comments; put imports and exports of a file that was made small on lines of their own."""
    breathe()
    text = LINE_COMMENT.sub("", DOCUMENTED.sub("", text))
    if is_small:
        text = re.sub(r"""(?<![\w.$])((?:import|export)\s*\{[^}]*\}\s*(?:from\s*"[^"]+")?;?)""", r"\n\1\n", text)
        text = re.sub(r"(?<![\w.$])(export default )", r"\n\1", text)
    return text


def pairs(names: str | None) -> Iterable[tuple[str, str]]:
    """Read `a, b as c` as pairs of the name there and the name here."""
    for each in (part.strip() for part in (names or "").split(",")):
        if each:
            there, _, here = each.partition(" as ")
            yield there.strip(), (here or there).strip()
