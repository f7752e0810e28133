/** Red, green, blue; each 0–255. */
export type Rgb = readonly [number, number, number];

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Parses only `#rrggbb`; otherwise undefined. */
export function parseHex(color: string): Rgb | undefined {
  const found = HEX.exec(color);
  if (!found) return undefined;
  return [
    Number.parseInt(found[1] ?? '', 16),
    Number.parseInt(found[2] ?? '', 16),
    Number.parseInt(found[3] ?? '', 16),
  ];
}

export function formatHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0–1. Source: WCAG 2.2, "relative luminance". */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** 1 (the same) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [bright, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * share;
  return [part(0), part(1), part(2)];
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Steps from a colour to black or white; finer ones are indistinguishable. */
const STEPS = 20;

/**
 * Moves `color` towards white or black, as little as needed for a contrast of `ratio` to `ground`.
 * Keeps its side if possible (light on dark stays light), otherwise uses the other one.
 */
export function ensureContrast(color: Rgb, ground: Rgb, ratio: number): Rgb {
  if (contrast(color, ground) >= ratio) return color;
  const ways = luminance(color) >= luminance(ground) ? [WHITE, BLACK] : [BLACK, WHITE];
  for (const way of ways) {
    for (let step = 1; step <= STEPS; step += 1) {
      const moved = mix(color, way, step / STEPS);
      if (contrast(moved, ground) >= ratio) return moved;
    }
  }
  return contrast(WHITE, ground) > contrast(BLACK, ground) ? WHITE : BLACK;
}
