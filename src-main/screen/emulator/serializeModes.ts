import type { Charset, CoreBuffer, XtermCore } from '../../shared/xterm/xtermInternals.ts';

export function hasDefaultTabs(buffer: CoreBuffer, cols: number): boolean {
  for (let col = 0; col < cols; col++) {
    if (Boolean(buffer.tabs[col]) !== (col % 8 === 0)) return false;
  }
  return true;
}

/** The letter that selects each national set of xterm 6.0.0, by the set's characters for `#`, `@` and `[`: no two sets agree in all three. */
const NATIONAL_SETS: Readonly<Record<string, string>> = {
  '£': 'A',
  '£¾ij': '4',
  Ä: 'C',
  '£à°': 'R',
  àâ: 'Q',
  '§Ä': 'K',
  '£§°': 'Y',
  ÄÆ: 'E',
  '£§¡': 'Z',
  ÉÄ: 'H',
  ùàé: '=',
};

/** The letter that selects this character set: `B` for ASCII, `0` for line drawing. */
export function charsetLetter(set: Charset | undefined): string {
  if (set?.q === '─') return '0';
  return NATIONAL_SETS[['#', '@', '['].map((character) => set?.[character] ?? '').join('')] ?? 'B';
}

/** Sequences that select the sets other than ASCII, and the set in use. */
export function charsetsOf(core: XtermCore): string {
  const { _charsets, glevel, charset } = core._charsetService;
  let text = '';
  for (const [level, designator] of ['(', ')', '*', '+'].entries()) {
    const letter = charsetLetter(level === glevel ? charset : _charsets[level]); // ESC 8 changes only the set in use
    if (letter !== 'B') text += `\x1b${designator}${letter}`;
  }
  return text + (['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? '');
}

const MOUSE: Readonly<Record<string, string>> = { X10: '9', VT200: '1000', DRAG: '1002', ANY: '1003' };
const MOUSE_ENCODING: Readonly<Record<string, string>> = { SGR: '1006', SGR_PIXELS: '1016' };
const CURSOR_STYLE: Readonly<Record<string, number>> = { block: 1, underline: 3, bar: 5 };

/** Sequences for the modes that differ from a fresh emulator's. Origin mode comes last because it moves the cursor. */
export function modesOf({ coreService, coreMouseService, options }: XtermCore): string {
  const modes = coreService.decPrivateModes;
  const cursor = CURSOR_STYLE[modes.cursorStyle ?? ''];
  const mouse = MOUSE[coreMouseService.activeProtocol];
  const encoding = MOUSE_ENCODING[coreMouseService.activeEncoding];
  return [
    modes.applicationCursorKeys && '\x1b[?1h',
    modes.applicationKeypad && '\x1b[?66h',
    modes.bracketedPasteMode && '\x1b[?2004h',
    modes.reverseWraparound && '\x1b[?45h',
    modes.sendFocus && '\x1b[?1004h',
    !modes.wraparound && '\x1b[?7l',
    coreService.modes.insertMode && '\x1b[4h',
    options.convertEol && '\x1b[20h',
    coreService.isCursorHidden && '\x1b[?25l',
    mouse && `\x1b[?${mouse}h`,
    encoding && `\x1b[?${encoding}h`,
    cursor && `\x1b[${cursor + (modes.cursorBlink === false ? 1 : 0)} q`,
    modes.origin && '\x1b[?6h',
  ]
    .filter(Boolean)
    .join('');
}
