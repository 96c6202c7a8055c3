"""The whole-process measurements: which forwarders run beside runneld, under which load."""
import contextlib
import statistics
from dataclasses import dataclass

from forwarders import Bench, BenchError, Task, free_port

CM = "AES_CM_128_HMAC_SHA1_80"
GCM = "AEAD_AES_128_GCM"


@dataclass(frozen=True)
class Case:
    """One suite and number of receivers; all contenders meet the same load in alternation."""
    suite: str
    receivers: int
    contenders: tuple
    saturation: tuple = ()
    latency: tuple = ()

    @property
    def burst(self):
        return 32 if self.receivers == 1 else 10

    @property
    def paced_rate(self):
        return 5_000 if self.receivers == 1 else 20_000

    @property
    def key(self):
        return f"{self.suite}/{self.receivers}"


YARDSTICKS = ("libsrtp-single", "libsrtp-batch", "evp-single", "evp-batch", "evp-segment", "floor")
FEW = ("evp-single", "evp-segment", "floor")

CASES = [
    Case(CM, 1, ("runneld", *YARDSTICKS), saturation=("runneld", "evp-single")),
    Case(CM, 10, ("runneld", *YARDSTICKS), saturation=("runneld", "evp-single", "evp-batch", "evp-segment"),
         latency=("runneld", "evp-batch")),
    Case(CM, 50, ("runneld", *YARDSTICKS), saturation=("runneld", "evp-single", "evp-batch", "evp-segment"),
         latency=("runneld", "evp-batch")),
    Case(CM, 100, ("runneld", *YARDSTICKS), saturation=("runneld",)),
    Case(GCM, 10, ("runneld", "libsrtp-single", *FEW), saturation=("runneld",)),
    Case(GCM, 50, ("runneld", "libsrtp-single", *FEW), saturation=("runneld",)),
]
QUICK_CASES = [
    Case(CM, 10, ("runneld", *FEW), saturation=("runneld", "evp-single"), latency=("runneld",)),
    Case(CM, 50, ("runneld", *FEW), saturation=("runneld", "evp-single")),
    Case(GCM, 10, ("runneld", *FEW)),
]
MEMORY_RECEIVERS = (1, 1_000, 5_000)


def ready(stack, bench, task, names):
    """Starts all, then awaits all; they end with the stack."""
    forwarders = [stack.enter_context(bench.start(task, name)) for name in names]
    for forwarder in forwarders:
        forwarder.await_ready()
    return forwarders


def measure_case(bench, case, quick):
    task = Task(case.suite, case.receivers, free_port())
    options = ["--burst", case.burst, "--rounds", 3 if quick else 7, "--seconds", 0.15 if quick else 0.25,
               "--paced", case.paced_rate]
    for name in case.saturation:
        options += ["--saturation", name]
    for name in case.latency:
        options += ["--latency", name]
    with contextlib.ExitStack() as stack:
        forwarders = ready(stack, bench, task, case.contenders)
        return bench.load(forwarders, task.sink_port, *options)


def measure_memory(bench):
    """Resident bytes of runneld once every receiver has got packets."""
    resident = {}
    for receivers in MEMORY_RECEIVERS:
        task = Task(CM, receivers, free_port())
        with contextlib.ExitStack() as stack:
            forwarders = ready(stack, bench, task, ["runneld"])
            bench.load(forwarders, task.sink_port, "--rounds", 0)
            resident[str(receivers)] = forwarders[0].resident_bytes()
    return resident


def measure(build, quick, say):
    """Everything, by case key; what could not be measured is said under "failures"."""
    results = {"cases": {}, "memory": {}, "failures": []}
    with Bench(build) as bench:
        for case in QUICK_CASES if quick else CASES:
            say(f"relay, {case.suite}, {case.receivers} receivers")
            try:
                results["cases"][case.key] = measure_case(bench, case, quick)
            except BenchError as error:
                results["failures"].append(f"{case.key}: {error}")
        say("relay, memory")
        try:
            results["memory"] = measure_memory(bench)
        except BenchError as error:
            results["failures"].append(f"memory: {error}")
    return results


def lost_by_sink(case):
    """Packets of the patterns that are meant to lose none, for which the load generator itself had no room."""
    return sum(run["lost_by_sink"] for contender in case.values() for run in contender["bursts"] + contender["paced"])


class Figures:
    """Medians and ratios out of what `measure` has brought; None where something is missing."""

    def __init__(self, results):
        self.results = results

    def contender(self, suite, receivers, name):
        return (self.results["cases"].get(f"{suite}/{receivers}") or {}).get(name)

    def cost(self, suite, receivers, name, pattern):
        """CPU ns per outgoing packet: the median round."""
        found = self.contender(suite, receivers, name)
        return statistics.median(run["ns_per_packet"] for run in found[pattern]) if found else None

    def ratio(self, suite, receivers, ours, peer, pattern):
        """The median of the rounds' ratios, peer to ours."""
        a, b = (self.contender(suite, receivers, name) for name in (ours, peer))
        if not a or not b:
            return None
        return statistics.median(y["ns_per_packet"] / x["ns_per_packet"] for x, y in zip(a[pattern], b[pattern]))

    def rate(self, suite, receivers, name):
        """The highest rate that was kept up with, packets per second out; and whether the generator set it."""
        found = self.contender(suite, receivers, name)
        if not found or "saturation" not in found:
            return None, False
        return found["saturation"]["packets_per_second"], found["saturation"]["generator_bound"]

    def latency(self, suite, receivers, name):
        found = self.contender(suite, receivers, name)
        return found.get("latency") if found else None

    def bytes_per_subscription(self, receivers):
        memory = self.results["memory"]
        if "1" not in memory or str(receivers) not in memory:
            return None
        return (memory[str(receivers)] - memory["1"]) / (receivers - 1)
