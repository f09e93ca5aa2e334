"""The next state of a traffic light."""

# bench: enum dict bool
# fails: after(Light.DARK, False)
from enum import Enum


class Light(Enum):
    RED = "red"
    RED_YELLOW = "red and yellow"
    GREEN = "green"
    YELLOW = "yellow"
    DARK = "dark"


FOLLOWS = {
    Light.RED: Light.RED_YELLOW,
    Light.RED_YELLOW: Light.GREEN,
    Light.GREEN: Light.YELLOW,
    Light.YELLOW: Light.RED,
}


def after(light: Light, night: bool) -> Light:
    """
    post: True
    """
    if night:
        return Light.DARK if light is Light.YELLOW else Light.YELLOW
    return FOLLOWS[light]  # bug: nothing follows DARK in the morning
