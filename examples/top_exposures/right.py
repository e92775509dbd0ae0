def top_exposures(exposures: list[int], count: int) -> list[int]:
    if count < 0:
        raise ValueError("the count is negative")
    return sorted(exposures, reverse=True)[:count]
