import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../support/sourceFiles.ts';

const WIDTHS = new URL('../../../src-main/shared/xterm/cellWidths.ts', import.meta.url).href;

/** Hash of the widths of all code points, in a process whose first small Buffer had `bytes`. */
function widthsBehind(bytes: readonly number[]): string {
  const program = `
    const first = Buffer.allocUnsafe(64);
    first.set(${JSON.stringify(bytes)}, 0);
    const { graphemesOf } = await import(${JSON.stringify(WIDTHS)});
    let cells = '';
    for (let code = 0x20; code < 0x110000; code += 1)
      if (code < 0xd800 || code > 0xdfff) cells += graphemesOf(String.fromCodePoint(code))[0].cells;
    const { createHash } = await import('node:crypto');
    process.stdout.write(createHash('sha256').update(cells).digest('hex'));
  `;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

test('the widths of characters do not depend on what is in the memory that Buffers share', () => {
  const zeros = Array.from({ length: 64 }, () => 0);
  const wrongHead = [0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0]; // a table that ends at U+0100
  const long = [255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 16, 0];
  expect(new Set([widthsBehind([]), widthsBehind(zeros), widthsBehind(wrongHead), widthsBehind(long)]).size).toBe(1);
});

test('the add-on is loaded from one place alone', () => {
  const imports = sourceFiles('src-main', ['.ts'])
    .concat(sourceFiles('src-renderer', ['.ts', '.svelte']))
    .filter(({ text }) => text.includes("from '@xterm/addon-unicode-graphemes'"));
  expect(imports.map(({ path }) => path)).toEqual(['src-main/shared/xterm/graphemes.ts']);
});
