# a second interpreter in this process, with modules that nobody patched
code = "with open('notes.txt', 'w') as s: s.write('changed')\nimport os; os.remove('log.txt')"
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
failed = interpreters.run_string(interpreters.create(), code)
assert failed is None, failed
