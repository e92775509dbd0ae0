"""Codemods that mend what models do to code on its way: one module for each."""
