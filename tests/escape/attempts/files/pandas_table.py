# pandas: to_csv over a file that was there, to_pickle
# needs: pandas
import pandas as pd
from aims import all_of, read

frame = pd.DataFrame({"loss": [1.0, 0.5]})
all_of(lambda: frame.to_csv("notes.txt"), lambda: frame.to_pickle("new.pkl"))
assert b"loss" in read("notes.txt")
