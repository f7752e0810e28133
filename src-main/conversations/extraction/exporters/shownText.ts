import { escapeText } from '../../../util/escapeControls.ts';

/** A message's text, safe for any reader: lines end in LF; control characters, bidi marks and tags are escaped. */
export function shownText(text: string): string {
  return escapeText(text.replaceAll('\r\n', '\n').toWellFormed());
}
