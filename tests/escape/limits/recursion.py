# recursion without an end is the script's own RecursionError
# expect: 3
# says: RecursionError
def again(number):
    return again(number + 1)


again(0)
