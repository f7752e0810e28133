import type { Theme } from '../../contract/window/theme.ts';
import { catppuccinLatte } from './palettes/catppuccinLatte.ts';
import { catppuccinMocha } from './palettes/catppuccinMocha.ts';
import { dracula } from './palettes/dracula.ts';
import { githubLight } from './palettes/githubLight.ts';
import { gruvboxDark } from './palettes/gruvboxDark.ts';
import { gruvboxLight } from './palettes/gruvboxLight.ts';
import { ink } from './palettes/ink.ts';
import { nord } from './palettes/nord.ts';
import { oneHalfLight } from './palettes/oneHalfLight.ts';
import { paper } from './palettes/paper.ts';
import { rosePine } from './palettes/rosePine.ts';
import { rosePineDawn } from './palettes/rosePineDawn.ts';
import { solarizedDark } from './palettes/solarizedDark.ts';
import { solarizedLight } from './palettes/solarizedLight.ts';
import { tokyoNight } from './palettes/tokyoNight.ts';
import { tokyoNightDay } from './palettes/tokyoNightDay.ts';

/** In the order of the settings page: eight dark, eight light, ours first. */
export const BUILTIN_THEMES: readonly Theme[] = [
  ink,
  solarizedDark,
  gruvboxDark,
  nord,
  dracula,
  catppuccinMocha,
  tokyoNight,
  rosePine,
  paper,
  solarizedLight,
  gruvboxLight,
  catppuccinLatte,
  tokyoNightDay,
  rosePineDawn,
  oneHalfLight,
  githubLight,
];

/** Fallback for a missing theme, and theme of a window before it has the settings. */
export function ownTheme(kind: Theme['kind']): Theme {
  return kind === 'light' ? paper : ink;
}
