"""Do the models of numeric literals say what servers say? Millions of texts, model against server.

``make literals`` runs it on every version there is; ``python -m devtools.conformance --help`` has the options.
"""
