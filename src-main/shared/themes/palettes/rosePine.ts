import type { Theme } from '../../../contract/window/theme.ts';

export const rosePine: Theme = {
  id: 'rose-pine',
  name: 'Rosé Pine',
  kind: 'dark',
  credit: 'Rosé Pine, MIT',
  background: '#191724',
  foreground: '#e0def4',
  cursor: '#e0def4',
  ansi: [
    ...['#26233a', '#eb6f92', '#31748f', '#f6c177', '#9ccfd8', '#c4a7e7', '#ebbcba', '#e0def4'],
    ...['#6e6a86', '#eb6f92', '#31748f', '#f6c177', '#9ccfd8', '#c4a7e7', '#ebbcba', '#e0def4'],
  ],
};
