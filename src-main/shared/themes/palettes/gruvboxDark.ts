import type { Theme } from '../../../contract/window/theme.ts';

export const gruvboxDark: Theme = {
  id: 'gruvbox-dark',
  name: 'Gruvbox Dark',
  kind: 'dark',
  credit: 'Pavel Pertsev, MIT',
  background: '#282828',
  foreground: '#ebdbb2',
  cursor: '#ebdbb2',
  ansi: [
    ...['#282828', '#cc241d', '#98971a', '#d79921', '#458588', '#b16286', '#689d6a', '#a89984'],
    ...['#928374', '#fb4934', '#b8bb26', '#fabd2f', '#83a598', '#d3869b', '#8ec07c', '#ebdbb2'],
  ],
};
