# Draws like an agent at work: the alternate screen, synchronized updates, a spinner, a box at the bottom with what was typed.
# Every byte that it reads goes to the file named first, so a test sees whether any came that nobody typed. Its picture after
# `ticks` ticks depends on nothing but the keys.
import os, select, sys, termios, tty

log, ticks = open(sys.argv[1], 'wb', buffering=0), int(sys.argv[2])
old = termios.tcgetattr(0)
tty.setraw(0)
out = lambda text: os.write(1, text.encode())
out('\x1b[?1049h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?25l')
typed = ''
tick = 0
try:
    while not typed.endswith('q'):
        ready = select.select([0], [], [], 0.02 if tick < ticks else None)[0]
        if ready:
            keys = os.read(0, 4096)
            log.write(keys)
            typed += keys.decode('latin1')
        elif tick < ticks:
            tick += 1
        cols, rows = os.get_terminal_size(1)
        spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[tick % 10]
        out('\x1b[?2026h')
        out(f'\x1b[{tick % (rows - 5) + 1};1H\x1b[3{tick % 8}m● tick {tick} é漢\x1b[K\x1b[m')
        out(f'\x1b[{rows - 3};1H\x1b[36m{spinner}\x1b[m working… ({tick} of {ticks})\x1b[K')
        out(f'\x1b[{rows - 2};1H╭{"─" * (cols - 2)}╮\r\n│ > {typed[-(cols - 6):]:<{cols - 5}}│\r\n╰{"─" * (cols - 2)}╯')
        out('\x1b[?2026l')
finally:
    out('\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?25h\x1b[?1049l')
    termios.tcsetattr(0, termios.TCSADRAIN, old)
