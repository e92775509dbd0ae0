_DOUBLED = {"0": 0, "1": 2, "2": 4, "3": 6, "4": 8, "5": 1, "6": 3, "7": 5, "8": 7, "9": 9}


def luhn_valid(number: str) -> bool:
    if not 12 <= len(number) <= 19:
        return False
    total = 0
    double = len(number) % 2 == 0
    for character in number:
        if character not in _DOUBLED:
            return False
        total += _DOUBLED[character] if double else ord(character) - 48
        double = not double
    return total % 10 == 0
