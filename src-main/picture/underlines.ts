import type { UnderlineStyle } from '../contract/block.ts';
import { CELL } from './geometry.ts';

/** Middle of the line, 1 px thick, in px from the top of the row; a second one is above it. */
const LINE_Y = CELL.height - 2.5;
/** Width of a wave: one cell. */
const WAVE_PX = CELL.width;

/** A line below text that begins at `x`, as path data to stroke. */
export function underlinePath(style: UnderlineStyle | undefined, { x, width }: { x: number; width: number }): string {
  if (style === 'curly') {
    const quarter = WAVE_PX / 4;
    const wave = `q${quarter} -3 ${2 * quarter} 0t${2 * quarter} 0`;
    return `M${x} ${LINE_Y}${wave.repeat(Math.round(width / WAVE_PX))}`;
  }
  const line = `M${x} ${LINE_Y}h${width}`;
  return style === 'double' ? `${line}M${x} ${LINE_Y - 2}h${width}` : line;
}
