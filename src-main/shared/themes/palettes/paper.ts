import type { Theme } from '../../../contract/window/theme.ts';

export const paper: Theme = {
  id: 'paper',
  name: 'Paper',
  kind: 'light',
  credit: 'Hansard, MIT',
  background: '#faf8f2',
  foreground: '#26241f',
  cursor: '#0f6b47',
  ansi: [
    ...['#26241f', '#a93a31', '#0f6b47', '#855b00', '#23609b', '#84407f', '#17686d', '#6a665c'],
    ...['#736e65', '#bf4a40', '#197a54', '#946500', '#2f72b3', '#964f90', '#1f777c', '#4a473f'],
  ],
};
