"""Compare the models of numeric literals with servers, on millions of texts.

``make literals`` runs it on every available version; ``python -m devtools.conformance --help`` shows the options.
"""
