import { MAX_COLS } from '../../blocks/BlockText.ts';
import { TextParser } from '../../blocks/TextParser.ts';
import { INDEX_EVERY_LINES } from '../../contract/block.ts';
import { ControlTokens } from '../../events/ControlTokens.ts';

/** Switches to and from the alternate screen. They are skipped, so that its text is kept too. */
const ALT_SCREEN = /^\x1b\[\?(?:47|1047|1049)[hl]$/;

/** Renders bytes as lines of text: applies backspaces, erasures and overprints as in a block's output, and removes control sequences. */
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
