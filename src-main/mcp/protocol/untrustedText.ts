import { redactSecrets } from '../../redaction/redactSecrets.ts';
import { escapeText } from '../../util/escapeControls.ts';

/** Text of the record that is safe to send to an outside client. */
export interface OutsideText {
  text: string;
  /** Number of redacted secrets. */
  redactions: number;
}

/** ZERO WIDTH SPACE, WORD JOINER and the invisible operators, BYTE ORDER MARK, SOFT HYPHEN, fillers: a terminal shows none of them. */
const UNSEEN = /[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]/gu;
/** ZWNJ and ZWJ are valid within emoji and scripts that join; next to ASCII they hide something. */
const STRAY_JOINER = /(?<=^|[\x20-\x7e])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x20-\x7e]|$)/gmu;

/**
 * Redacts secrets, then escapes everything that a terminal would obey or a reader would not see (mcp.md, T3 and T9). Keeps LF and TAB. Does not
 * change the record.
 */
export function untrustedText(text: string): OutsideText {
  const { text: redacted, count } = redactSecrets(text);
  const shown = escapeText(redacted).replace(UNSEEN, codePoint).replace(STRAY_JOINER, '');
  return { text: shown.replace(/\u2028|\u2029/g, codePoint), redactions: count };
}

function codePoint(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
