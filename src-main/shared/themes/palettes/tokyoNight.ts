import type { Theme } from '../../../contract/window/theme.ts';

export const tokyoNight: Theme = {
  id: 'tokyo-night',
  name: 'Tokyo Night',
  kind: 'dark',
  credit: 'folke/tokyonight.nvim, Apache-2.0',
  background: '#1a1b26',
  foreground: '#c0caf5',
  cursor: '#c0caf5',
  ansi: [
    ...['#15161e', '#f7768e', '#9ece6a', '#e0af68', '#7aa2f7', '#bb9af7', '#7dcfff', '#a9b1d6'],
    ...['#414868', '#f7768e', '#9ece6a', '#e0af68', '#7aa2f7', '#bb9af7', '#7dcfff', '#c0caf5'],
  ],
};
