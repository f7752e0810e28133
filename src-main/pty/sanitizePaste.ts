/**
 * Text as it may be typed into a terminal by a paste. Removed: C0 except TAB, LF and CR, DEL, and C1 — a pasted
 * `ESC [ 201 ~` would end the bracket early and run what follows, 0x03 interrupts, U+009B is CSI for many programs
 * (CVE-2026-26982; xterm.js 6.0.0 removes none of them). CR LF and LF become CR, as a keyboard would send.
 */
export function sanitizePaste(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '').replace(/\r\n?|\n/g, '\r');
}

/** Zero-width, bidi, tag and other characters that make the text look other than it is. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** So many blanks that what follows them lies outside of any window. */
const FAR_BLANKS = /[ \t]{40,}\S/;

/** From this many bytes on a paste asks first. */
export const LARGE_PASTE_BYTES = 16 * 1024;

export interface PasteQuestion {
  lines: number;
  bytes: number;
  /** Holds characters that do not show, or text behind so many blanks that nobody sees it. */
  hidden: boolean;
  /** Control characters were in it and will not be typed. */
  removedControls: boolean;
}

/** What to ask before `text` is typed, or null when it can go as it is. `isBracketed`: the program has mode 2004 on. */
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

/** The bytes of a paste: sanitised, between the brackets of mode 2004 when the program asked for them. */
export function encodePaste(text: string, isBracketed: boolean): string {
  const clean = sanitizePaste(text);
  return isBracketed ? `\x1b[200~${clean}\x1b[201~` : clean;
}
