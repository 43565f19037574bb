# urllib.request.urlopen, as data sets are downloaded
import urllib.request

from aims import TCP

urllib.request.urlopen(f"http://127.0.0.1:{TCP}/data.zip", timeout=2)
