import type { Theme } from '../../../contract/window/theme.ts';

export const nord: Theme = {
  id: 'nord',
  name: 'Nord',
  kind: 'dark',
  credit: 'Sven Greb and Nord contributors, MIT',
  background: '#2e3440',
  foreground: '#d8dee9',
  cursor: '#d8dee9',
  ansi: [
    ...['#3b4252', '#bf616a', '#a3be8c', '#ebcb8b', '#81a1c1', '#b48ead', '#88c0d0', '#e5e9f0'],
    ...['#4c566a', '#bf616a', '#a3be8c', '#ebcb8b', '#81a1c1', '#b48ead', '#8fbcbb', '#eceff4'],
  ],
};
