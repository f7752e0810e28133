import type { Terminal } from '@xterm/headless';
import { CELL_PX } from '../../contract/image.ts';
import { MAX_SIXEL_PX } from '../../shared/images/SixelReader.ts';

/** Colour registers of a sixel image that every program can rely on. */
const SIXEL_REGISTERS = 256;
/** XTSMGRAPHICS: the items, the actions and the results. */
const [REGISTERS, GEOMETRY] = [1, 2];
const [READ, RESET, SET, READ_LIMIT] = [1, 2, 3, 4];
const [DONE, UNKNOWN_ITEM, UNKNOWN_ACTION] = [0, 1, 2];

/**
 * Answers the queries that programs send before they print images: whether sixel is supported (DA1 with attribute 4), the size of a cell and of
 * the screen in px (CSI 14 t, CSI 16 t), and the maximum size of a sixel image (XTSMGRAPHICS). `ImageStage` answers kitty's and iTerm2's own queries.
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

/** The answer to XTSMGRAPHICS. No value can change: a request to set one gets the unchanged value. */
function graphicsAnswer(item: number, action: number): string {
  if (item !== REGISTERS && item !== GEOMETRY) return `${item};${UNKNOWN_ITEM}`;
  if (![READ, RESET, SET, READ_LIMIT].includes(action)) return `${item};${UNKNOWN_ACTION}`;
  return item === REGISTERS ? `1;${DONE};${SIXEL_REGISTERS}` : `2;${DONE};${MAX_SIXEL_PX};${MAX_SIXEL_PX}`;
}
