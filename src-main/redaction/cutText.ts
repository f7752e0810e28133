import { blankSecrets } from './redactSecrets.ts';

/** Longer than any secret but a private key, whose beginning is found without its end. */
const SECRET_CHARS = 4096;
const BLANK = '•';
/** The last word of a text that was cut. Shorter words give too little of a secret away. */
const CUT_WORD = /\S{8,}…$/u;

/**
 * Returns at most `maxChars` of a text, all of whose secrets are found in the result too: no pattern finds a part of a secret, or one whose end, such
 * as a quote, is missing.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const blanked = blankSecrets(text.slice(0, maxChars + SECRET_CHARS)).text;
  const isSecret = (at: number): boolean => blanked[at] === BLANK && text[at] !== BLANK;
  const isWithin = (at: number): boolean => isSecret(at) || (/\s/.test(text[at] ?? '') && isSecret(at - 1));
  let end = maxChars;
  for (;;) {
    const kept = text.slice(0, end);
    const own = blankSecrets(kept).text;
    let lost = 0;
    while (lost < end && !(isSecret(lost) && own[lost] !== BLANK)) lost += 1;
    if (lost === end) return kept.replace(/[\uD800-\uDBFF]$/, '');
    end = lost;
    while (end > 0 && isWithin(end - 1)) end -= 1;
  }
}

/** `cutText` with a mark at the cut. */
export function cutMarked(text: string, maxChars: number): string {
  const cut = cutText(text, maxChars);
  return cut === text ? text : `${cut}…`;
}

/** Returns a text that was cut before its secrets were looked for, without its last word, which may be a part of one. `fromChars`: shorter texts were not cut. */
export function withoutCutWord(text: string, fromChars = 0): string {
  return text.length < fromChars ? text : text.replace(CUT_WORD, '…');
}
