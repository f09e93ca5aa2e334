"""PEF, CrossHair and Hypothesis on the same files, measured in one run."""
