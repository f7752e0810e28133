import { contrast, formatHex, mix, parseHex, type Rgb } from '../../contract/screen/color.ts';
import type { Theme } from '../../contract/window/theme.ts';

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** WCAG's ratio for text with meaning. */
export const READ_RATIO = 4.5;
/** Contrast ratio of first-tier text where the palette allows it. */
const FIRST_RATIO = 7;
const STEPS = 40;

/** Distance of each derived colour from the background or the text; chosen by eye for Ink and Paper. */
const DARK = { chrome: 0.2, raised: 0.05, wash: 13, halo: 22, selection: 30, find: 34 };
const LIGHT = { chrome: 0.05, raised: 0.6, wash: 9, halo: 17, selection: 20, find: 34 };
const TEXT_2 = 0.28;
const TEXT_3_READ = 0.42;
const TEXT_3 = 0.52;

/** Background colours of text, and black or white, whichever contrasts more. */
interface Page {
  readonly background: Rgb;
  readonly chrome: Rgb;
  readonly raised: Rgb;
  readonly pole: Rgb;
}

/**
 * All colour tokens of the window (ui/tokens.css) for a terminal palette. Three tiers of text and the four hues have `READ_RATIO` on
 * the page, the chrome and raised surfaces, for any palette: a colour with less moves towards black or white.
 */
export function themeTokens(theme: Theme): Record<string, string> {
  const page = pageOf(theme);
  const shares = theme.kind === 'dark' ? DARK : LIGHT;
  const [red, green, amber, blue] = [1, 2, 3, 4].map((index) => legible(hex(theme.ansi[index]), page, READ_RATIO)) as [
    Rgb,
    Rgb,
    Rgb,
    Rgb,
  ];
  return {
    ...textTokens(theme, page),
    '--background': formatHex(page.background),
    '--chrome': formatHex(page.chrome),
    '--raised': formatHex(page.raised),
    '--red': formatHex(red),
    '--green': formatHex(green),
    '--amber': formatHex(amber),
    '--blue': formatHex(blue),
    '--on-accent': formatHex(poleOf(green)),
    '--focus': formatHex(green),
    '--cursor': theme.cursor,
    '--wash-red': veil(red, shares.wash),
    '--wash-amber': veil(amber, shares.wash),
    '--halo-red': veil(red, shares.halo),
    '--halo-green': veil(green, shares.halo),
    '--halo-amber': veil(amber, shares.halo),
    '--selection': veil(green, shares.selection),
    '--find': veil(amber, shares.find),
    ...Object.fromEntries(theme.ansi.map((color, index) => [`--ansi-${index}`, color])),
  };
}

function textTokens(theme: Theme, page: Page): Record<string, string> {
  const { background, pole } = page;
  const own = hex(theme.foreground);
  const text = legible(own, page, FIRST_RATIO);
  const isDark = theme.kind === 'dark';
  return {
    // Output uses the palette's own text colour: a Solarized terminal looks like Solarized.
    '--ink': formatHex(legible(own, { ...page, chrome: background, raised: background }, READ_RATIO)),
    '--text': formatHex(text),
    '--text-2': formatHex(legible(mix(text, background, TEXT_2), page, READ_RATIO)),
    '--text-3': formatHex(mix(text, background, TEXT_3)),
    '--text-3-read': formatHex(legible(mix(text, background, TEXT_3_READ), page, READ_RATIO)),
    '--hover': veil(pole, 5),
    '--selected': veil(pole, 7),
    '--hairline': veil(pole, isDark ? 9 : 12),
    '--hairline-strong': veil(pole, isDark ? 16 : 22),
    '--scrollbar': veil(pole, isDark ? 16 : 20),
    '--scrim': veil(mix(background, BLACK, isDark ? 0.6 : 0.75), isDark ? 55 : 26),
  };
}

/** Chrome and raised surfaces differ from the page only as far as text stays legible on them, which is little on a mid-grey page. */
function pageOf(theme: Theme): Page {
  const background = hex(theme.background);
  const pole = poleOf(background);
  const isDark = theme.kind === 'dark';
  const shares = isDark ? DARK : LIGHT;
  const ground = (to: Rgb, share: number): Rgb => {
    for (let rest = share; rest > 0.01; rest /= 2) {
      const moved = rounded(mix(background, to, rest));
      if (contrast(pole, moved) >= READ_RATIO) return moved;
    }
    return background;
  };
  return {
    background,
    pole,
    chrome: ground(isDark ? BLACK : hex(theme.foreground), shares.chrome),
    raised: ground(WHITE, shares.raised),
  };
}

/** Moves `color` towards the page's pole, as little as needed; returns the pole itself if nothing less reaches the ratio. */
function legible(color: Rgb, { background, chrome, raised, pole }: Page, ratio: number): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const moved = rounded(mix(color, pole, step / STEPS));
    if ([background, chrome, raised].every((ground) => contrast(moved, ground) >= ratio)) return moved;
  }
  return pole;
}

/** Black or white, whichever is easier to read on `ground`: at least 4.58:1. */
function poleOf(ground: Rgb): Rgb {
  return contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK;
}

/** Rounds a colour as it will be written, because a ratio must hold for the rounded one. */
function rounded(color: Rgb): Rgb {
  return [Math.round(color[0]), Math.round(color[1]), Math.round(color[2])];
}

function veil(color: Rgb, percent: number): string {
  return `rgb(${rounded(color).join(' ')} / ${percent}%)`;
}

function hex(color = ''): Rgb {
  return parseHex(color) ?? BLACK;
}
