/** One key with its modifiers. `key` is lower case: `t`, `.`, `enter`, `arrowup`, `f1`. */
export interface Chord {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  meta: boolean;
  key: string;
}

export type Platform = 'linux' | 'darwin' | 'win32';

/** Only the Mac and Windows have their own keys; every other platform of Node counts as Linux. */
export function asPlatform(name: string): Platform {
  return name === 'darwin' || name === 'win32' ? name : 'linux';
}

const MODIFIERS = new Set(['ctrl', 'alt', 'shift', 'meta', 'mod', 'cmd', 'option']);
const NAMES: Readonly<Record<string, string>> = {
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  esc: 'escape',
  return: 'enter',
  space: ' ',
  plus: '+',
};

/** Parses `Mod+Shift+P`; undefined for invalid text. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export function parseChord(text: string, platform: Platform): Chord | undefined {
  const parts = text.trim().toLowerCase().split('+');
  const key = parts.pop();
  if (!key || parts.some((part) => !MODIFIERS.has(part)) || MODIFIERS.has(key)) return undefined;
  const isMac = platform === 'darwin';
  const has = (name: string) => parts.includes(name);
  return {
    ctrl: has('ctrl') || (!isMac && has('mod')),
    alt: has('alt') || has('option'),
    shift: has('shift'),
    meta: has('meta') || has('cmd') || (isMac && has('mod')),
    key: NAMES[key] ?? key,
  };
}

/** All chords of a setting, for example `Mod+T Alt+Shift+T`; invalid ones are left out. */
export function parseChords(text: string, platform: Platform): Chord[] {
  return text.split(/\s+/).flatMap((part) => parseChord(part, platform) ?? []);
}

interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/**
 * The chord of a key press; undefined for a modifier alone. With Alt or Shift the character depends on the layout (Shift+1 is `!`, Option+T on a Mac
 * is `†`), so letters and digits come from the key's position.
 */
export function chordOf(event: KeyPress): Chord | undefined {
  const { ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey: meta } = event;
  if (['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(event.key)) return undefined;
  const placed = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(event.code);
  const isPlain = /^[a-z]$/i.test(event.key) || /^[0-9]$/.test(event.key);
  const key = !isPlain && placed && (alt || shift || ctrl) ? (placed[1] ?? placed[2] ?? event.key) : event.key;
  return { ctrl, alt, shift, meta, key: key.toLowerCase() };
}

export function isSameChord(a: Chord, b: Chord): boolean {
  return a.key === b.key && a.ctrl === b.ctrl && a.alt === b.alt && a.shift === b.shift && a.meta === b.meta;
}

/** Canonical form of a chord, for settings.json and for finding conflicts. */
export function formatChord(chord: Chord): string {
  const name = Object.entries(NAMES).find(([, key]) => key === chord.key)?.[0] ?? chord.key;
  const parts = [chord.ctrl && 'Ctrl', chord.alt && 'Alt', chord.shift && 'Shift', chord.meta && 'Cmd'].filter(Boolean);
  return [...parts, name.length > 1 ? capital(name) : name.toUpperCase()].join('+');
}

const SYMBOLS: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: '⏎',
  escape: 'Esc',
  tab: 'Tab',
  ' ': 'Space',
  pagedown: 'PageDown',
  pageup: 'PageUp',
};

/** A chord as shown to people: `⌘⇧F` on a Mac, `Ctrl+Shift+F` elsewhere. */
export function showChord(chord: Chord, platform: Platform): string {
  const key = SYMBOLS[chord.key] ?? (chord.key.length > 1 ? capital(chord.key) : chord.key.toUpperCase());
  if (platform !== 'darwin') {
    return [chord.ctrl && 'Ctrl', chord.alt && 'Alt', chord.shift && 'Shift', chord.meta && 'Super', key]
      .filter(Boolean)
      .join('+');
  }
  return [chord.ctrl && '⌃', chord.alt && '⌥', chord.shift && '⇧', chord.meta && '⌘', key].filter(Boolean).join('');
}

/**
 * Whether a running program may use this chord: Ctrl with a letter or one of `@ [ \ ] ^ _ space` is a C0 control code, Alt with a character is ESC
 * and that character. While the program has the keys, it gets these chords.
 */
export function isProgramChord({ ctrl, alt, shift, meta, key }: Chord): boolean {
  if (meta || shift) return false;
  if (ctrl && !alt) return /^[a-z@[\\\]^_ ]$/.test(key);
  return alt && !ctrl;
}

/** Whether the key types text; such a chord is not a shortcut in a text field. */
export function isTyping({ ctrl, alt, meta, key }: Chord): boolean {
  return !ctrl && !alt && !meta && !/^f\d+$/.test(key);
}

/** Scroll keys of terminals, which no line editor uses. */
export function isScrollChord({ ctrl, alt, shift, meta, key }: Chord): boolean {
  return shift && !ctrl && !alt && !meta && /^page(up|down)$/.test(key);
}

/** Keys of the line editor, as in the shells: start, end, kill, interrupt and others. */
export function isLineChord({ ctrl, alt, shift, meta, key }: Chord): boolean {
  return ctrl && !alt && !shift && !meta && /^[acdeklnpuw]$/.test(key);
}

/** Keys of every text field: copy, paste, undo, and moving or deleting by words. */
export function isEditChord({ ctrl, alt, shift, meta, key }: Chord): boolean {
  if (alt || ctrl === meta) return false;
  return /^(arrow(left|right|up|down)|home|end|backspace|delete|z)$/.test(key) || (!shift && /^[acvxy]$/.test(key));
}

/** Keys that some browser never passes to a page: new, close and reopen, stepping through its own tabs, and Firefox's private window. */
export function isBrowserChord({ ctrl, alt, shift, meta, key }: Chord): boolean {
  return !alt && (ctrl || meta) && (/^(t|w|n|tab|pageup|pagedown)$/.test(key) || (shift && key === 'p'));
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
