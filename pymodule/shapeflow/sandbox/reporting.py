"""A check in the script's process: its errors are sent as they are made, the report at the end."""
from __future__ import annotations

import os
import sys

import shapeflow.sandbox.channel as channel
import shapeflow.sandbox.inside as inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Set, Tuple

    from shapeflow.checker.findings import Report
    from shapeflow.checker.options import CheckOptions
    from shapeflow.sandbox.channel import Sender


def sending(options: CheckOptions, sender: Sender) -> Callable[[Report], None]:
    """From here on each error is sent as it is made, in case nothing comes after it; gives what sends the
    report of the end."""
    import shapeflow.checker.reports as reports
    from shapeflow.checker.findings import mark_operands, record_of

    sent: Set[Tuple[object, ...]] = set()
    launcher = os.path.abspath(sys.argv[0])

    def met(finding: object) -> None:
        record = record_of(finding, launcher)
        if record.severity == "error" and record.key() not in sent:
            sent.add(record.key())
            if options.is_shown_at_once:
                try:
                    mark_operands(record, finding, launcher)
                except (RecursionError, ValueError, LookupError, AttributeError):
                    pass  # as in UniqueFindings.extend
            sender.send(channel.FINDING, {**record.to_json(), "unsure": options.has_skipped})

    def send(report: Report) -> None:
        from shapeflow.sandbox import notices

        report.records += notices.records()
        if report.reads is not None and notices.is_blocked():
            report.reads["opaque"] = "what the sandbox refused"  # another layer might not
        if inside.compiled:
            sender.send(channel.COMPILED, inside.compiled)
        sender.send(channel.REPORT, reports.pack(report))

    options.own_process = True
    options.met = met
    options.complain = lambda words: sender.send(channel.USAGE, words)
    return send


def check(options: CheckOptions, sender: Sender) -> int:
    """The check itself, with the report at the end."""
    import shapeflow.checker.one_check as plain

    send = sending(options, sender)

    def deliver(report: Report, out: object, err: object) -> int:
        send(report)
        return report.status

    return plain.check(options, deliver)
