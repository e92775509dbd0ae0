def top_exposures(exposures: list[int], count: int) -> list[int]:
    if count < 0:
        raise ValueError("the count is negative")
    # sorts the caller's own list
    exposures.sort(reverse=True)
    return exposures[:count]
