# time: a regular expression that takes for ever, in C
# options: --time-limit 1
# expect: 3
# says: stopped after 1 s
import re

re.match(r"(a+)+$", "a" * 60 + "b")
