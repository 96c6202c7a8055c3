"""Waits for a condition instead of sleeping and hoping."""
import time


class TimedOut(Exception):
    """A condition did not come true in time."""


def wait_until(what, condition, seconds=30, interval=0.1):
    """The first true value of `condition()`; an error that names `what` when it never comes."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimedOut(f"waited {seconds} s in vain: {what}")
        time.sleep(interval)
