# logging: FileHandler that appends, RotatingFileHandler that renames and removes
import logging
import logging.handlers

from aims import all_of, read


def log(handler):
    logger = logging.getLogger("escape")
    logger.addHandler(handler)
    for step in range(20):
        logger.warning("step %d of a training that writes its log", step)
    logger.removeHandler(handler)
    handler.close()


all_of(lambda: log(logging.FileHandler("log.txt")),
       lambda: log(logging.handlers.RotatingFileHandler("notes.txt", maxBytes=200, backupCount=2)))
assert read("log.txt").startswith(b"line 1") and b"step 19" in read("log.txt")
