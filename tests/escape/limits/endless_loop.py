# time: `while True: pass`
# options: --time-limit 1 --every-batch
# expect: 3
# says: stopped after 1 s
while True:
    pass
