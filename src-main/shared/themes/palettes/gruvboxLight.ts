import type { Theme } from '../../../contract/window/theme.ts';

export const gruvboxLight: Theme = {
  id: 'gruvbox-light',
  name: 'Gruvbox Light',
  kind: 'light',
  credit: 'Pavel Pertsev, MIT',
  background: '#fbf1c7',
  foreground: '#3c3836',
  cursor: '#3c3836',
  ansi: [
    ...['#fbf1c7', '#cc241d', '#98971a', '#d79921', '#458588', '#b16286', '#689d6a', '#7c6f64'],
    ...['#928374', '#9d0006', '#79740e', '#b57614', '#076678', '#8f3f71', '#427b58', '#3c3836'],
  ],
};
