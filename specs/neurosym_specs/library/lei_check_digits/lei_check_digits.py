import string

_ALPHABET = string.digits + string.ascii_uppercase


def lei_check_digits(prefix: str) -> str:
    if len(prefix) != 18:
        raise ValueError("18 characters are needed")
    remainder = 0
    for character in prefix:
        value = _ALPHABET.find(character)
        if value < 0:
            raise ValueError(f"{character!r} is neither a capital nor a digit")
        remainder = (remainder * (100 if value >= 10 else 10) + value) % 97
    return f"{98 - remainder * 100 % 97:02d}"
