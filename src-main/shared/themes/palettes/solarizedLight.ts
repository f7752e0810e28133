import type { Theme } from '../../../contract/window/theme.ts';

export const solarizedLight: Theme = {
  id: 'solarized-light',
  name: 'Solarized Light',
  kind: 'light',
  credit: 'Ethan Schoonover, MIT',
  background: '#fdf6e3',
  foreground: '#657b83',
  cursor: '#586e75',
  ansi: [
    ...['#073642', '#dc322f', '#859900', '#b58900', '#268bd2', '#d33682', '#2aa198', '#eee8d5'],
    ...['#002b36', '#cb4b16', '#586e75', '#657b83', '#839496', '#6c71c4', '#93a1a1', '#fdf6e3'],
  ],
};
