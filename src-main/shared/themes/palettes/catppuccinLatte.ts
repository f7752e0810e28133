import type { Theme } from '../../../contract/window/theme.ts';

export const catppuccinLatte: Theme = {
  id: 'catppuccin-latte',
  name: 'Catppuccin Latte',
  kind: 'light',
  credit: 'Catppuccin, MIT',
  background: '#eff1f5',
  foreground: '#4c4f69',
  cursor: '#dc8a78',
  ansi: [
    ...['#5c5f77', '#d20f39', '#40a02b', '#df8e1d', '#1e66f5', '#ea76cb', '#179299', '#acb0be'],
    ...['#6c6f85', '#d20f39', '#40a02b', '#df8e1d', '#1e66f5', '#ea76cb', '#179299', '#bcc0cc'],
  ],
};
