import type { Input } from 'electron';

/** Chromium's own limits are about ±9; beyond ±4 a window of this size cannot show a line of text. Steps of 20 %, as in browsers. */
const MAX_LEVEL = 4;

/**
 * The zoom level that a key asks for, or null when it is no zoom key: Ctrl (Cmd on macOS) with =, +, - or 0, as in every browser. With
 * Alt the key is the page's: it changes the terminal's text only.
 */
export function zoomAfter(
  { type, key, control, alt, meta }: Pick<Input, 'type' | 'key' | 'control' | 'alt' | 'meta'>,
  level: number,
  platform: NodeJS.Platform,
): number | null {
  const [wanted, other] = platform === 'darwin' ? [meta, control] : [control, meta];
  if (type !== 'keyDown' || !wanted || other || alt) return null;
  if (key === '0') return 0;
  if (key === '=' || key === '+') return Math.min(MAX_LEVEL, level + 1);
  if (key === '-') return Math.max(-MAX_LEVEL, level - 1);
  return null;
}
