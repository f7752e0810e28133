import type { Theme } from '../../../contract/window/theme.ts';

export const rosePineDawn: Theme = {
  id: 'rose-pine-dawn',
  name: 'Rosé Pine Dawn',
  kind: 'light',
  credit: 'Rosé Pine, MIT',
  background: '#faf4ed',
  foreground: '#575279',
  cursor: '#575279',
  ansi: [
    ...['#f2e9e1', '#b4637a', '#286983', '#ea9d34', '#56949f', '#907aa9', '#d7827e', '#575279'],
    ...['#9893a5', '#b4637a', '#286983', '#ea9d34', '#56949f', '#907aa9', '#d7827e', '#575279'],
  ],
};
