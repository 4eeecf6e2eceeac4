"""The functions, types, settings, key words, catalogs and programs of a major, as its server reports them."""
