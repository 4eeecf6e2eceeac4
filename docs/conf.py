"""How Sphinx builds these pages: `make docs`."""

from importlib.metadata import version as installed_version

project = "pytest-pgfeatures"
copyright = "the pytest-pgfeatures authors"
release = version = installed_version("pytest-pgfeatures")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_preserve_defaults = True

html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "description": "PostgreSQL version behavior, executable"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
