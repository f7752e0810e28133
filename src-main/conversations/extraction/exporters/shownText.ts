import { escapeText } from '../../../util/escapeControls.ts';

/** A message's text as any reader may have it: lines end in LF, and controls, bidi marks and tags stand there as escapes. */
export function shownText(text: string): string {
  return escapeText(text.replaceAll('\r\n', '\n').toWellFormed());
}
