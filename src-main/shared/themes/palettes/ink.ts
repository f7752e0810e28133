import type { Theme } from '../../../contract/window/theme.ts';

export const ink: Theme = {
  id: 'ink',
  name: 'Ink',
  kind: 'dark',
  credit: 'Hansard, MIT',
  background: '#14161a',
  foreground: '#e8e4db',
  cursor: '#5fbb8d',
  ansi: [
    ...['#2a2e35', '#e0695f', '#5fbb8d', '#dfae55', '#86b3dd', '#c594c9', '#6fbcc0', '#cfcabf'],
    ...['#85817a', '#f08b81', '#83d3aa', '#f0c878', '#a8cbee', '#ddb1e0', '#93d5d8', '#f6f3ec'],
  ],
};
