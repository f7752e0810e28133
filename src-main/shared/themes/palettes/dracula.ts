import type { Theme } from '../../../contract/window/theme.ts';

export const dracula: Theme = {
  id: 'dracula',
  name: 'Dracula',
  kind: 'dark',
  credit: 'Dracula Theme, MIT',
  background: '#282a36',
  foreground: '#f8f8f2',
  cursor: '#f8f8f2',
  ansi: [
    ...['#21222c', '#ff5555', '#50fa7b', '#f1fa8c', '#bd93f9', '#ff79c6', '#8be9fd', '#f8f8f2'],
    ...['#6272a4', '#ff6e6e', '#69ff94', '#ffffa5', '#d6acff', '#ff92df', '#a4ffff', '#ffffff'],
  ],
};
