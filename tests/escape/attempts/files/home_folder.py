# dot files of the home folder: a setting appended, a cache folder made
import os

home = os.path.expanduser("~")
with open(os.path.join(home, ".bashrc"), "a") as stream:
    stream.write("echo changed\n")
os.makedirs(os.path.join(home, ".cache", "wandb"))
with open(os.path.join(home, ".bashrc")) as stream:
    assert stream.read() == "# mine\necho changed\n"
