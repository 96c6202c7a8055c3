"""What Runnel wants to reach, each as one row: figure, ours, peer, ratio, target, verdict.

A row without figures says "not measured"; nothing is left out. Kernels that this CPU lacks make no row.
"""
from dataclasses import dataclass
from typing import Optional

from relay_cases import CM, GCM, MEMORY_RECEIVERS

# XOR of 8, 128, 2048 and 32768 bytes in ns as the best prototype did it: AMD Zen 5 at 3.65 GHz.
XOR_PROTOTYPE = {8: 1.7, 128: 2.2, 2048: 17, 32768: 640}

# Reading one masked WebSocket frame in ns, the copy into the receive buffer included, as uWebSockets does it on the
# same Zen 5; and how many times faster than Boost.Beast that was there. Of 1 MiB there is no figure: not slower.
UWEBSOCKETS_READ = {16: 10.3, 125: 13.7, 1024: 23, 16384: 286}
UWEBSOCKETS_TO_BEAST = {16: 3.7, 125: 3.6, 1024: 4.1, 16384: 1.36, 1 << 20: 1}

# Other daemons, measured once on one machine beside the forwarder of a day's work (libsrtp on OpenSSL, single
# calls). That forwarder runs here too, as "evp-single", so that their cost here follows by proportion.
DAYS_WORK_PACED = {10: 6_200, 50: 6_100}     # ns per packet out
MEDIASOUP_PACED = {10: 7_700, 50: 6_000}     # one worker with io_uring, the best peer
JANUS_VIEWERS_PACED = {10: 32_500, 50: 32_600}
DAYS_WORK_RATE = 170_000                     # packets per second, one core
MEDIASOUP_RATE = 120_000


@dataclass
class Row:
    """A figure and what it should be. `at_most` turns the comparison round.

    `floor` is what the same figure would be for a relay without any crypto: no relay here can do better.
    """
    figure: str
    target: float
    ours: str = "-"
    peer: str = "-"
    value: Optional[float] = None
    at_most: bool = False
    unit: str = "x"
    floor: Optional[float] = None

    @property
    def verdict(self):
        if self.value is None:
            return "not measured"
        good = self.value <= self.target if self.at_most else self.value >= self.target
        return "reached" if good else "MISSED"


def ns(value):
    return "-" if value is None else f"{value:,.1f} ns" if value < 100 else f"{value:,.0f} ns"


def paired(figure, counters, target):
    """A row of a benchmark that measured us and the peer in alternation (paired.h)."""
    if not counters:
        return Row(figure, target)
    return Row(figure, target, ns(counters["ours"]), ns(counters["peer"]), counters["ratio"])


def crypto_rows(crypto):
    rows = []
    for kernel, at_1200, at_160 in (("vaes_avx512", 5, 8), ("vaes_avx2", 5, 8), ("aesni", 1.4, 2.5)):
        for size, target in ((1200, at_1200), (160, at_160)):
            counters = crypto.get(f"aes_128_ctr/{kernel}/{size}")
            if counters or kernel == "aesni":
                rows.append(paired(f"AES-128-CTR {size} B, {kernel}, to OpenSSL EVP", counters, target))
    for size, prototype in XOR_PROTOTYPE.items():
        ours = crypto.get(f"xor/chosen/{size}", {}).get("ours")
        rows.append(Row(f"XOR {size} B, to the prototype on Zen 5", 1.2, ns(ours), ns(prototype),
                        ours / prototype if ours else None, at_most=True))
    slowest = slowest_choice(crypto)
    rows.append(Row("furthest behind its peer" + (f": {slowest[0]}" if slowest else ""), 0.95,
                    ns(slowest and slowest[1]["ours"]), ns(slowest and slowest[1]["peer"]),
                    slowest and slowest[1]["ratio"]))
    return rows


def slowest_choice(crypto):
    """Never slower than the peer, less 5 % for noise, on any CPU: the worst of what would be chosen on some CPU."""
    def is_chosen(name):
        # HMAC goes by the number of packets, and XOR of few bytes takes a path without vectors.
        by_size = name.startswith("hmac_sha1/") or (name.startswith("xor/") and name.endswith("/8"))
        return "/chosen/" in name or not by_size
    chosen = [(name, counters) for name, counters in crypto.items() if is_chosen(name)]
    return min(chosen, key=lambda item: item[1]["ratio"]) if chosen else None


def srtp_rows(srtp):
    def beside(suite, batch, peer):
        return srtp.get(f"srtp_protect/{suite}/1200/batch:{batch}/beside:{peer}")
    return [
        paired("SRTP protect AES_CM_80 1200 B, 16 waiting, to OpenSSL EVP", beside(CM, 16, "evp"), 5),
        paired("SRTP protect AES_CM_80 1200 B, 32 waiting, to OpenSSL EVP", beside(CM, 32, "evp"), 5),
        paired("SRTP protect AES_CM_80 1200 B, single, to OpenSSL EVP", beside(CM, 1, "evp"), 1.3),
        paired("SRTP protect AES_CM_80 1200 B, 16 waiting, to libsrtp here", beside(CM, 16, "libsrtp"), 5),
        paired("SRTP protect GCM-128 1200 B, 16 waiting, to OpenSSL EVP", beside(GCM, 16, "evp"), 6),
    ]


def websocket_rows(websocket):
    def beside(what, size, peer):
        return websocket.get(f"websocket_{what}/{size}/beside:{peer}")
    rows = []
    for size, uwebsockets in UWEBSOCKETS_READ.items():
        ours = (beside("read", size, "beast") or {}).get("ours")
        rows.append(Row(f"WebSocket read {size:,} B, to uWebSockets on Zen 5", 1, ns(ours), ns(uwebsockets),
                        ours / uwebsockets if ours else None, at_most=True))
    for size, target in UWEBSOCKETS_TO_BEAST.items():
        rows.append(paired(f"WebSocket read {size:,} B, to Boost.Beast", beside("read", size, "beast"), target))
        rows.append(paired(f"WebSocket read {size:,} B, to wslay", beside("read", size, "wslay"), 5))
    for peer, name in (("beast", "Boost.Beast"), ("wslay", "wslay")):
        rows.append(paired(f"WebSocket write 1,024 B, to {name}", beside("write", 1024, peer), 10))
    return rows


def relay_rows(figures):
    rows = []
    for suite, floor_target, short in ((CM, 1.6, "AES_CM_80"), (GCM, 1.3, "GCM-128")):
        for receivers in (10, 50):
            def row(figure, target, ours, peer, pattern, at_most=False):
                value = figures.ratio(suite, receivers, ours, peer, pattern)
                if at_most and value:
                    value = 1 / value
                return Row(f"{short} N={receivers} {figure}", target,
                           ns(figures.cost(suite, receivers, ours, pattern)),
                           ns(figures.cost(suite, receivers, peer, pattern)), value, at_most,
                           floor=figures.ratio(suite, receivers, "floor", peer, pattern))
            if suite == CM:
                rows.append(row("bursts, to a day's work on OpenSSL", 8, "runneld", "evp-single", "bursts"))
                rows.append(row("bursts, to a day's work on libsrtp here", 8, "runneld", "libsrtp-single", "bursts"))
            rows.append(row("bursts, to the no-crypto floor", floor_target, "runneld", "floor", "bursts", True))
    for receivers in (10, 50):
        rows += daemon_rows(figures, receivers)
    for receivers in (1, 10, 50, 100):
        rate, generator_bound = figures.rate(CM, receivers, "runneld")
        rows.append(Row(f"AES_CM_80 N={receivers} packets/s out of one worker without loss", 500_000,
                        f"{rate:,.0f}/s" if rate else "-", "(the generator's end)" if generator_bound else "-", rate,
                        unit="/s"))
    return rows


def daemon_rows(figures, receivers):
    """Beside daemons that do not run here; their part is scaled by the forwarder that does."""
    ours = figures.cost(CM, receivers, "runneld", "paced")
    unit_ratio = figures.ratio(CM, receivers, "runneld", "evp-single", "paced")
    floor_ratio = figures.ratio(CM, receivers, "floor", "evp-single", "paced")
    days_work = figures.cost(CM, receivers, "evp-single", "paced")

    def paced(peer, cost, target):
        scale = cost / DAYS_WORK_PACED[receivers]
        return Row(f"AES_CM_80 N={receivers} paced 20 000/s, to {peer} (scaled)", target, ns(ours),
                   ns(days_work and days_work * scale), unit_ratio and unit_ratio * scale,
                   floor=floor_ratio and floor_ratio * scale)
    rate, _ = figures.rate(CM, receivers, "runneld")
    peer_rate, _ = figures.rate(CM, receivers, "evp-single")
    peer_rate = peer_rate and peer_rate * MEDIASOUP_RATE / DAYS_WORK_RATE
    shown = [f"{r:,.0f}/s" if r else "-" for r in (rate, peer_rate)]
    return [
        paced("mediasoup", MEDIASOUP_PACED[receivers], 2.5),
        paced("Janus viewers", JANUS_VIEWERS_PACED[receivers], 10),
        Row(f"AES_CM_80 N={receivers} saturation, to mediasoup (scaled)", 5, *shown,
            rate / peer_rate if rate and peer_rate else None),
    ]


def latency_rows(figures):
    rows = []
    for receivers in (10, 50):
        latency = figures.latency(CM, receivers, "runneld")
        if not latency and receivers != 10:
            continue
        peer = figures.latency(CM, receivers, "evp-batch") or {}
        for name, key, target in (("median", "median_ns", 100), ("99.9 %", "p99_9_ns", 1000)):
            value = latency and latency[key] / 1000
            rows.append(Row(f"added latency N={receivers} at 10 % load, {name}", target,
                            f"{value:,.0f} us" if latency else "-",
                            f"{peer[key] / 1000:,.0f} us" if peer else "-", value, at_most=True, unit=" us"))
    return rows


def memory_rows(figures):
    rows = []
    for receivers in MEMORY_RECEIVERS[1:]:
        value = figures.bytes_per_subscription(receivers)
        value = value and value / 1024
        rows.append(Row(f"memory of a subscription, of {receivers:,}", 16, f"{value:.1f} KiB" if value else "-", "-",
                        value, at_most=True, unit=" KiB"))
    return rows


def format_table(rows):
    lines = [("figure", "ours", "peer", "ratio", "floor's", "target", "")]
    for row in rows:
        ratio = f"{row.value:.2f}" if row.unit == "x" and row.value is not None else "-"
        floor = f"{row.floor:.2f}" if row.floor else "-"
        target = f"{'<=' if row.at_most else '>='} {row.target:,.10g}{row.unit}"
        lines.append((row.figure, row.ours, row.peer, ratio, floor, target, row.verdict))
    last = len(lines[0]) - 1
    widths = [max(len(line[i]) for line in lines) for i in range(last)]
    text = []
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [line[i].rjust(widths[i]) for i in range(1, last)] + [line[last]]
        text.append("  ".join(cells).rstrip())
    text.insert(1, "-" * max(len(line) for line in text))
    return "\n".join(text)
