# PIL.Image.save over a file that was there
# needs: PIL
from PIL import Image

Image.new("L", (4, 4)).save("data.bin", "PNG")
assert Image.open("data.bin").size == (4, 4)
