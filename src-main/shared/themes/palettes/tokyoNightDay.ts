import type { Theme } from '../../../contract/window/theme.ts';

export const tokyoNightDay: Theme = {
  id: 'tokyo-night-day',
  name: 'Tokyo Night Day',
  kind: 'light',
  credit: 'folke/tokyonight.nvim, Apache-2.0',
  background: '#e1e2e7',
  foreground: '#3760bf',
  cursor: '#3760bf',
  ansi: [
    ...['#e9e9ed', '#f52a65', '#587539', '#8c6c3e', '#2e7de9', '#9854f1', '#007197', '#6172b0'],
    ...['#a1a6c5', '#f52a65', '#587539', '#8c6c3e', '#2e7de9', '#9854f1', '#007197', '#3760bf'],
  ],
};
