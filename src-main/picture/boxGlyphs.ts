import { CELL, type Rect } from './geometry.ts';

/** Weight of one arm of a box drawing character. */
const [NONE, LIGHT, HEAVY, DOUBLE] = [0, 1, 2, 3] as const;

/** U+2500 to U+257F: weights of the arms left, right, up, down, from their Unicode names; `....` for characters with other shapes. */
const ARMS =
  '1100 2200 0011 0022 .... .... .... .... .... .... .... .... 0101 0201 0102 0202 1001 2001 1002 2002 0110 0210 0120 0220 ' +
  '1010 2010 1020 2020 0111 0211 0121 0112 0122 0221 0212 0222 1011 2011 1021 1012 1022 2021 2012 2022 1101 2101 1201 2201 ' +
  '1102 2102 1202 2202 1110 2110 1210 2210 1120 2120 1220 2220 1111 2111 1211 2211 1121 1112 1122 2121 1221 2112 1212 2221 ' +
  '2212 2122 1222 2222 .... .... .... .... 3300 0033 0301 0103 0303 3001 1003 3003 0310 0130 0330 3010 1030 3030 0311 0133 ' +
  '0333 3011 1033 3033 3301 1103 3303 3310 1130 3330 3311 1133 3333 .... .... .... .... .... .... .... 1000 0010 0100 0001 ' +
  '2000 0020 0200 0002 1200 0012 2100 0021';
const TABLE = ARMS.split(' ');

/** Dashes in one cell: count, weight, direction. */
const DASHES: Readonly<Record<number, readonly [count: number, weight: 1 | 2, way: 'across' | 'down']>> = {
  9476: [3, LIGHT, 'across'],
  9477: [3, HEAVY, 'across'],
  9478: [3, LIGHT, 'down'],
  9479: [3, HEAVY, 'down'],
  9480: [4, LIGHT, 'across'],
  9481: [4, HEAVY, 'across'],
  9482: [4, LIGHT, 'down'],
  9483: [4, HEAVY, 'down'],
  9548: [2, LIGHT, 'across'],
  9549: [2, HEAVY, 'across'],
  9550: [2, LIGHT, 'down'],
  9551: [2, HEAVY, 'down'],
};

/** Edges of the strokes along one axis: a light one is 1 px, a heavy one 3, a double one two light ones with 1 px between. */
interface Edges {
  readonly light: readonly [number, number];
  readonly heavy: readonly [number, number];
  readonly double: readonly [number, number];
  readonly size: number;
}

function edges(size: number): Edges {
  const at = Math.floor((size - 1) / 2);
  return { light: [at, at + 1], heavy: [at - 1, at + 2], double: [at - 1, at + 2], size };
}

const ACROSS = edges(CELL.width);
const DOWN = edges(CELL.height);

/** The rectangles of a box drawing character, in px of its cell; null for other characters, or one with curves. */
export function boxRects(codepoint: number): Rect[] | null {
  const dashes = DASHES[codepoint];
  if (dashes) return dashRects(...dashes);
  const arms = TABLE[codepoint - 0x2500];
  if (arms === undefined || arms === '....') return null;
  const [left = 0, right = 0, up = 0, down = 0] = Array.from(arms, Number);
  const swap = ({ x, y, width, height }: Rect): Rect => ({ x: y, y: x, width: height, height: width });
  return [
    ...armRects(left, { opposite: right, sides: [up, down] }, { along: ACROSS, cross: DOWN, isFar: false }),
    ...armRects(right, { opposite: left, sides: [up, down] }, { along: ACROSS, cross: DOWN, isFar: true }),
    ...armRects(up, { opposite: down, sides: [left, right] }, { along: DOWN, cross: ACROSS, isFar: false }).map(swap),
    ...armRects(down, { opposite: up, sides: [left, right] }, { along: DOWN, cross: ACROSS, isFar: true }).map(swap),
  ];
}

type Reach = 'light' | 'heavy' | 'double' | 'before';

interface Others {
  readonly opposite: number;
  /** Weights of the perpendicular arms: towards 0, and away from 0. */
  readonly sides: readonly [number, number];
}

interface Way {
  readonly along: Edges;
  readonly cross: Edges;
  /** True if the arm goes from the middle away from 0. */
  readonly isFar: boolean;
}

/** Draws one arm as if it were horizontal, from its edge of the cell as far past the middle as needed to meet the others. */
function armRects(weight: number, { opposite, sides }: Others, { along, cross, isFar }: Way): Rect[] {
  if (weight === NONE) return [];
  const reach = reachOf(weight, { opposite, sides });
  const bar = ([top, bottom]: readonly [number, number], to: Reach): Rect => {
    const inner = isFar ? innerFar(along, to) : innerNear(along, to);
    const [x, end] = isFar ? [inner, along.size] : [0, inner];
    return { x, y: top, width: end - x, height: bottom - top };
  };
  if (weight !== DOUBLE) return [bar(weight === HEAVY ? cross.heavy : cross.light, reach)];
  const [outer, inner] = [cross.double, cross.light];
  // on a side that is double too, the near stroke turns, and the far one continues around it
  return [
    bar([outer[0], inner[0]], sides[0] === DOUBLE ? 'before' : reach),
    bar([inner[1], outer[1]], sides[1] === DOUBLE ? 'before' : reach),
  ];
}

/** End of an arm so that strokes meet without a notch: after the perpendicular ones, or before them if it only touches them. */
function reachOf(weight: number, { opposite, sides: [one, other] }: Others): Reach {
  if (one === HEAVY || other === HEAVY) return 'heavy';
  if (one === NONE && other === NONE) return 'light';
  if (one === other && opposite !== weight) return 'before';
  return one === DOUBLE || other === DOUBLE ? 'double' : 'light';
}

/** End of an arm from 0: after the strokes it crosses, or before the first of them. */
function innerNear({ light, heavy, double }: Edges, to: Reach): number {
  return to === 'before' ? light[0] : { light, heavy, double }[to][1];
}

function innerFar({ light, heavy, double }: Edges, to: Reach): number {
  return to === 'before' ? light[1] : { light, heavy, double }[to][0];
}

function dashRects(count: number, weight: 1 | 2, way: 'across' | 'down'): Rect[] {
  const [along, cross] = way === 'across' ? [ACROSS, DOWN] : [DOWN, ACROSS];
  const [top, bottom] = weight === HEAVY ? cross.heavy : cross.light;
  return Array.from({ length: count }, (_, at): Rect => {
    const from = Math.round((at * along.size) / count);
    const length = Math.max(1, Math.round(((at + 1) * along.size) / count) - from - (along.size < 12 ? 1 : 2));
    return way === 'across'
      ? { x: from, y: top, width: length, height: bottom - top }
      : { x: top, y: from, width: bottom - top, height: length };
  });
}
