import sys
import time


def spin(end):
    while time.process_time() < end:
        for _ in range(1000):
            pass


def outer(end):
    spin(end)
    return 0


sorted([0], key=lambda _: outer(float(sys.argv[1])))
