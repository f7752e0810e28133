import type { Theme } from '../../../contract/window/theme.ts';

export const oneHalfLight: Theme = {
  id: 'one-half-light',
  name: 'One Half Light',
  kind: 'light',
  credit: 'Son A. Pham, MIT',
  background: '#fafafa',
  foreground: '#383a42',
  cursor: '#383a42',
  ansi: [
    ...['#383a42', '#e45649', '#50a14f', '#c18401', '#0184bc', '#a626a4', '#0997b3', '#fafafa'],
    ...['#4f525e', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#ffffff'],
  ],
};
