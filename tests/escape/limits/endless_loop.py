# time: `while True: pass`
# options: --time-limit 1
# expect: 3
# says: stopped after 1 s
while True:
    pass
