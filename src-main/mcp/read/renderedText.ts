import { MAX_COLS } from '../../blocks/BlockText.ts';
import { INDEX_EVERY_LINES } from '../../blocks/lineIndex.ts';
import { TextParser } from '../../blocks/TextParser.ts';
import { ControlTokens } from '../../events/ControlTokens.ts';

/** Switches to and from the alternate screen, whose text belongs to a stream too. */
const ALT_SCREEN = /^\x1b\[\?(?:47|1047|1049)[hl]$/;

/** Bytes as lines of text, with backspaces, erasures and overprints applied as in a block's output. Control sequences are gone. */
export function renderedText(bytes: Uint8Array): string {
  const parser = new TextParser({ cols: MAX_COLS });
  const read = (own: Uint8Array): void => {
    for (let at = 0; at < own.length; ) at = parser.read(own, at, INDEX_EVERY_LINES);
  };
  for (const { kind, bytes: own } of new ControlTokens().feed(bytes))
    if (kind === 'text' || !ALT_SCREEN.test(Buffer.from(own).toString('latin1'))) read(own);
  parser.end();
  const whole = parser.lines.take();
  return Buffer.concat([whole, parser.lines.flush()]).toString('utf8');
}
