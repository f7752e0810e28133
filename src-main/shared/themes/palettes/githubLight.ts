import type { Theme } from '../../../contract/window/theme.ts';

export const githubLight: Theme = {
  id: 'github-light',
  name: 'GitHub Light',
  kind: 'light',
  credit: 'GitHub Primer, MIT',
  background: '#ffffff',
  foreground: '#24292f',
  cursor: '#0969da',
  ansi: [
    ...['#24292f', '#cf222e', '#116329', '#4d2d00', '#0969da', '#8250df', '#1b7c83', '#6e7781'],
    ...['#57606a', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#8c959f'],
  ],
};
