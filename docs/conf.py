"""How Sphinx builds these pages: `make docs`."""

from __future__ import annotations

import tomllib
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "pytest-pgfeatures"
copyright = "the pytest-pgfeatures authors"
release = version = installed_version("pytest-pgfeatures")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_use_ivar = True
napoleon_use_rtype = False
python_use_unqualified_type_names = True

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "pytest-pgfeatures"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["filter.js"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f5f8f", "color-brand-content": "#2f5f8f"},
    "dark_css_variables": {"color-brand-primary": "#8fb8de", "color-brand-content": "#8fb8de"},
}


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
    app.connect("autodoc-process-docstring", add_release, priority=600)
    app.connect("doctree-read", mark_what_is_left_out)


def keep_colons(_app: Sphinx, what: str, _name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Keep napoleon from reading ``a: b``, in the first line of what is no function, as a type and its meaning."""
    if what in ("attribute", "data", "property"):
        lines.insert(0, "")


def mark_what_is_left_out(_app: Sphinx, page: nodes.document) -> None:
    """Show ``...``, which stands for anything in outputs that tests compare, as an ellipsis that isn't literal."""
    for block in page.findall(nodes.literal_block):
        if block.get("language") == "console":
            lines = block.astext().splitlines()
            shown = [line if line.startswith("$ ") else _left_out(line) for line in lines]
            block.children = [nodes.Text("\n".join(shown))]
            block.rawsource = block.astext()


def _left_out(line: str) -> str:
    return "[…]" if line == "..." else line.replace("...", "…")


PUBLIC = tomllib.loads(Path(__file__).with_name("public.toml").read_text(encoding="utf-8"))
EXPERIMENTAL = {name for names in PUBLIC.pop("experimental").values() for name in names}
ADDED = {name: release for release, modules in PUBLIC.items() for names in modules.values() for name in names}


def add_release(_app: Sphinx, what: str, name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Add the release that brought a public name, and whether it is experimental."""
    name = name.rpartition(".")[2]
    if what in ("attribute", "method", "module", "property") or name not in ADDED:
        return
    lines += ["", f".. versionadded:: {ADDED[name]}", ""]
    if name in EXPERIMENTAL:
        lines += [
            ".. admonition:: Experimental",
            "",
            "   It may change in any release: :doc:`/stability`.",
            "",
        ]
