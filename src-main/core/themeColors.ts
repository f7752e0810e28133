import type { TerminalColors } from '../contract/screen/frame.ts';

/** As the window's tokens have them (src-renderer/ui/tokens.css); a test compares both. */
const DARK: TerminalColors = { foreground: '#e8e4db', background: '#14161a', cursor: '#5fbb8d' };
const LIGHT: TerminalColors = { foreground: '#26241f', background: '#faf8f2', cursor: '#0f6b47' };

/** With which colours a program is answered that asks. */
export function themeColors(theme: 'dark' | 'light'): TerminalColors {
  return theme === 'light' ? LIGHT : DARK;
}
