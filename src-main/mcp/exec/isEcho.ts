/** See `ScreenInput.beforeCursor`: a blank or nothing. */
const MARGIN = '\0';

/**
 * Whether a line editor shows exactly `cmd`. `shown`: see `ScreenInput.beforeCursor`. Ignores the indentation of all lines after the first, because
 * some line editors indent them on the screen only; the shell reports what ran.
 */
export function isEcho(shown: string | null, cmd: string): boolean {
  if (shown === null) return false;
  return cmd.includes('\n') ? isSame(withoutIndents(shown), withoutIndents(cmd)) : isSame(shown, cmd);
}

function isSame(shown: string, cmd: string): boolean {
  let at = 0;
  for (const char of shown) {
    if (char === MARGIN) {
      if (cmd[at] === ' ') at += 1;
    } else if (cmd.startsWith(char, at)) at += char.length;
    else return false;
  }
  return at === cmd.length;
}

function withoutIndents(text: string): string {
  return text.replace(/\n[ ]+/g, '\n');
}
