"""What is run to be counted: plain programs, and functions to explore."""
