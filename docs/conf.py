"""How Sphinx builds these pages: `make docs`."""

from __future__ import annotations

from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

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
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f5f8f", "color-brand-content": "#2f5f8f"},
    "dark_css_variables": {"color-brand-primary": "#8fb8de", "color-brand-content": "#8fb8de"},
}


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)


def keep_colons(_app: Sphinx, what: str, _name: str, _it: object, _options: object, lines: list[str]) -> None:
    """Keep napoleon from reading ``a: b``, in the first line of what is no function, as a type and its meaning."""
    if what in ("attribute", "data", "property"):
        lines.insert(0, "")
