"""``regreen init``: looks at a repository, and writes the workflow and the configuration that fit it.

``look`` finds out, ``files`` renders, ``place`` writes both files or none. Nothing of the repository is run,
no link is followed, and what is there already is never replaced unasked.
"""
