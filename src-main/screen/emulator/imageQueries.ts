import type { Terminal } from '@xterm/headless';
import { CELL_PX } from '../../contract/image.ts';
import { MAX_SIXEL_PX } from '../../shared/images/SixelReader.ts';

/** Colour registers of a sixel image that every program may count on. */
const SIXEL_REGISTERS = 256;
/** XTSMGRAPHICS: what is asked, how, and how the answer went. */
const [REGISTERS, GEOMETRY] = [1, 2];
const [READ, RESET, SET, READ_LIMIT] = [1, 2, 3, 4];
const [DONE, UNKNOWN_ITEM, UNKNOWN_ACTION] = [0, 1, 2];

/**
 * Answers what programs ask before they print images: whether sixel is understood (DA1 with attribute 4), how large a cell and the screen are in px
 * (CSI 14 t, CSI 16 t), and how large a sixel image may be (XTSMGRAPHICS). kitty's and iTerm2's own queries are answered by `ImageStage`.
 */
export function answerImageQueries(terminal: Terminal, reply: (text: string) => void): void {
  const screen = () => ({ width: terminal.cols * CELL_PX.width, height: terminal.rows * CELL_PX.height });
  const { parser } = terminal;
  // VT220 with sixel graphics and ANSI colours
  parser.registerCsiHandler({ final: 'c' }, ([kind]) => {
    if (kind !== 0) return false;
    reply('\x1b[?62;4;22c');
    return true;
  });
  parser.registerCsiHandler({ final: 't' }, ([what]) => {
    if (what === 14) reply(`\x1b[4;${screen().height};${screen().width}t`);
    else if (what === 16) reply(`\x1b[6;${CELL_PX.height};${CELL_PX.width}t`);
    return what === 14 || what === 16;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'S' }, ([item, action]) => {
    reply(`\x1b[?${graphicsAnswer(Number(item), Number(action))}S`);
    return true;
  });
}

/** The answer to XTSMGRAPHICS. No value can be changed: a request to set one is answered with the value that stays. */
function graphicsAnswer(item: number, action: number): string {
  if (item !== REGISTERS && item !== GEOMETRY) return `${item};${UNKNOWN_ITEM}`;
  if (![READ, RESET, SET, READ_LIMIT].includes(action)) return `${item};${UNKNOWN_ACTION}`;
  return item === REGISTERS ? `1;${DONE};${SIXEL_REGISTERS}` : `2;${DONE};${MAX_SIXEL_PX};${MAX_SIXEL_PX}`;
}
