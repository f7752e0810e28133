/**
 * Sanitizes text for a paste into a terminal. Removes C0 except TAB, LF and CR, DEL, and C1: a pasted
 * `ESC [ 201 ~` would end the bracket early and run the rest, 0x03 interrupts, U+009B is CSI for many programs
 * (CVE-2026-26982; xterm.js 6.0.0 removes none of them). CR LF and LF become CR, as sent by a keyboard.
 */
export function sanitizePaste(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '').replace(/\r\n?|\n/g, '\r');
}

/** Zero-width, bidi, tag and other characters that change how the text looks. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** A run of blanks that moves the text after it out of any window. */
const FAR_BLANKS = /[ \t]{40,}\S/;

/** A paste of this many bytes or more asks first. */
export const LARGE_PASTE_BYTES = 16 * 1024;

export interface PasteQuestion {
  lines: number;
  bytes: number;
  /** The text has invisible characters, or text hidden behind many blanks. */
  hidden: boolean;
  /** The text had control characters, which will not be typed. */
  removedControls: boolean;
}

/** The question before `text` is typed, or null if none is needed. `isBracketed`: the program has mode 2004 on. */
export function judgePaste(text: string, isBracketed: boolean): PasteQuestion | null {
  const clean = sanitizePaste(text);
  const bytes = Buffer.byteLength(clean);
  const lines = clean.replace(/\r$/, '').split('\r').length;
  const question: PasteQuestion = {
    lines,
    bytes,
    hidden: HIDDEN.test(clean) || FAR_BLANKS.test(clean),
    removedControls: clean.length < text.replace(/\r\n/g, '\n').length,
  };
  const asks =
    (clean.includes('\r') && !isBracketed) || bytes > LARGE_PASTE_BYTES || question.hidden || question.removedControls;
  return asks ? question : null;
}

/** The text of a paste: sanitized, between the brackets of mode 2004 if the program asked for them. */
export function encodePaste(text: string, isBracketed: boolean): string {
  const clean = sanitizePaste(text);
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
