"""One self-contained page of HTML for results: no network, no framework, all text escaped.

A page is a title, counts, facts, and sections:

    write_page(path, "Experiments", [Section("experiments", "Experiments", html)], counts=[("ran", 12)])

The HTML of a section is :class:`markupsafe.Markup`. ``write.render("experiments.html", ...)`` makes it of a file
in ``templates/``: Jinja2 escapes all values that it fills in. SVG that a library drew is marked by ``Markup``
itself. A section needs no script.

| module | |
|---|---|
| ``write`` | :class:`Section`, :func:`render`, :func:`write_page` |
| ``matrix``, ``evidence``, ``rerun`` | the matrix, the evidence of its cells, the commands that repeat them |
| ``findings`` | the findings of readiness, and what differs between two versions |
| ``experiments`` | the experiments, with their plots |
| ``jobs`` | the pages of the verbs |

The modules are imported one by one, and Jinja2 by ``write`` only, because most runs write no page.
"""
