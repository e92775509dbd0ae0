from calendar import isleap
from datetime import date


def age_on(birth: date, day: date) -> int:
    if day < birth:
        raise ValueError("not born yet")
    if birth.month == 2 and birth.day == 29 and not isleap(day.year):
        birthday = date(day.year, 3, 1)
    else:
        birthday = date(day.year, birth.month, birth.day)
    years = day.year - birth.year
    return years if day >= birthday else years - 1
