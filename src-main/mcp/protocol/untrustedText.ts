import { redactSecrets } from '../../redaction/redactSecrets.ts';
import { escapeText } from '../../util/escapeControls.ts';

/** Text of the record as it may leave for an outside client. */
export interface OutsideText {
  text: string;
  /** Secrets that were taken out. */
  redactions: number;
}

/** ZERO WIDTH SPACE, WORD JOINER and the invisible operators, BYTE ORDER MARK, SOFT HYPHEN, fillers: nothing a terminal shows. */
const UNSEEN = /[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]/gu;
/** ZWNJ and ZWJ have their place within emoji and within scripts that join; beside ASCII they hide something. */
const STRAY_JOINER = /(?<=^|[\x20-\x7e])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x20-\x7e]|$)/gmu;

/**
 * Secrets redacted, then everything that a terminal would obey or a reader would not see shown as an escape (mcp.md, T3 and T9). LF and TAB
 * stay. The record itself is not touched.
 */
export function untrustedText(text: string): OutsideText {
  const { text: redacted, count } = redactSecrets(text);
  const shown = escapeText(redacted).replace(UNSEEN, codePoint).replace(STRAY_JOINER, '');
  return { text: shown.replace(/\u2028|\u2029/g, codePoint), redactions: count };
}

function codePoint(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
