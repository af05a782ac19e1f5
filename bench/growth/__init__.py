"""What a home costs once it is very large."""
