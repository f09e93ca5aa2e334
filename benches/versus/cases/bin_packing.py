"""Parcels into vans of ten units, the first van with room."""

# bench: list int loop hard
# fails: vans([4, 4, 6, 6])
from typing import List


def vans(parcels: List[int]) -> int:
    """
    pre: len(parcels) == 4
    pre: all(3 <= parcel <= 7 for parcel in parcels)
    pre: sum(parcels) == 20
    post: _ == 2 or not fits_two(parcels)
    """
    loads: List[int] = []
    for parcel in parcels:
        for van, load in enumerate(loads):
            if load + parcel <= 10:
                loads[van] += parcel
                break
        else:
            loads.append(parcel)
    return len(loads)  # bug: the first van with room is not always the best


def fits_two(parcels):
    first = parcels[0]
    return any(first + other == 10 for other in parcels[1:])
