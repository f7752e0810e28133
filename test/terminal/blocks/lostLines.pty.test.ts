import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordTerminal } from '../../cli/recordFolder.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { TestCore } from '../../support/TestCore.ts';

const MANY = Array.from({ length: 100 }, (_, n) => `line ${n}`);

test.each([
  [
    'a part of a line',
    ['x'.repeat(100)],
    { at: 20, count: 60 },
    ['x'.repeat(20), '[60 bytes of output were not recorded]', 'x'.repeat(20)],
  ],
  [
    'many lines',
    MANY,
    { at: MANY.slice(0, 10).join('\r\n').length + 2, count: MANY.slice(10, 90).join('\r\n').length + 2 },
    [...MANY.slice(0, 10), '', '[720 bytes of output were not recorded]', ...MANY.slice(90)],
  ],
])('a card of which %s could not be recorded has all lines that there are', async (_, texts, { at, count }, shown) => {
  const home = join(suiteFolder('lost-lines'), 'home');
  const whole = `${texts.join('\r\n')}\r\n`;
  const block = {
    id: 'b1',
    raw: whole.slice(0, at) + '\0'.repeat(count) + whole.slice(at + count),
    text: `${texts.join('\n')}\n`,
    outputLines: texts.length,
  };
  const { events } = await recordTerminal(home, 'tlost', [block]);
  const gap = { type: 'gap', fromOffset: at, toOffset: at + count, reason: 'the disk is full', atMs: 0 };
  appendFileSync(events, `${JSON.stringify(gap)}\n`);
  const workspace = { version: 1, order: ['tlost'], active: 'tlost' };
  writeFileSync(join(home, 'workspace.json'), JSON.stringify(workspace), { mode: 0o600 });
  const own = await TestCore.start({ dataFolder: home });
  onTestFinished(() => own.stop());
  const { reader } = own.core.terminal('tlost').book;
  const rows = async (from: number, most: number) => {
    const { lines, total } = await reader.lines('b1', from, most);
    return { total, lines: lines.map(({ spans }) => spans.map(({ text }) => text).join('')) };
  };
  expect(await rows(0, 200)).toEqual({ total: shown.length, lines: shown });
  expect(await rows(-2, 2)).toEqual({ total: shown.length, lines: shown.slice(-2) });
});
