import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { themeColors } from '../../src-main/core/themeColors.ts';
import { ROOT } from '../support/sourceFiles.ts';

test.each([
  ['dark', 0],
  ['light', 1],
] as const)('a program that asks is told the colours of the %s theme as the window draws it', (theme, at) => {
  const css = readFileSync(join(ROOT, 'src-renderer/ui/tokens.css'), 'utf8');
  const token = (name: string) => [...css.matchAll(new RegExp(`${name}: (#[0-9a-f]{6});`, 'g'))][at]?.[1];
  expect(themeColors(theme)).toEqual({
    foreground: token('--text'),
    background: token('--background'),
    cursor: token('--ansi-2'),
  });
});
