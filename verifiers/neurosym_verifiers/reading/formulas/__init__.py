"""Terms over whole numbers and conditions on them, in normal form: the language of the reading."""
