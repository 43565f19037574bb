# exit: 3
import sys

sys.exit("no data here")
