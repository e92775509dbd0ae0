def split_bill(bill_cents: int, people: int) -> list[int]:
    if bill_cents < 0 or people < 1:
        raise ValueError("nothing to split, or nobody to pay it")
    share, left = divmod(bill_cents, people)
    return [share + 1] * left + [share] * (people - left)
