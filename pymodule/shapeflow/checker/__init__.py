"""One check of one script: its run, its findings and their operands, what it read, the cache."""
