# capabilities: any that is left, and set-user-ID programs that would give them back
# needs: linux
# done: not held
with open("/proc/self/status") as stream:
    status = dict(line.split(":", 1) for line in stream)
held = int(status["CapEff"], 16) | int(status["CapPrm"], 16) | int(status["CapAmb"], 16)
if not held and int(status["NoNewPrivs"]) == 1:
    raise SystemExit("no powers, and none to be had")
