# root's powers: any capability but the four over files (which the layer holds), or a way to get them back
# needs: linux
# done: not held
with open("/proc/self/status") as stream:
    status = dict(line.split(":", 1) for line in stream)
held = int(status["CapEff"], 16) | int(status["CapPrm"], 16)
if status["Uid"].split()[0] == "0":  # to others the bounding set gives nothing
    held |= int(status["CapBnd"], 16)
if not held & ~0xF and int(status["NoNewPrivs"]) == 1:
    raise SystemExit("no powers, and none to be had")
