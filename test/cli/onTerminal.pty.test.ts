import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal, writeTabs } from './recordFolder.ts';
import { runOnTerminal } from './runCli.ts';

const home = suiteFolder('cli-tty');
const evil = 'one\x1b]0;title\x07\ttwo\x9b2J\u202e\r\n';

beforeAll(async () => {
  const cmd = `echo 日本語 ${'x'.repeat(200)}`;
  await recordTerminal(home, 't1', [{ id: 'b1-aa', cmd, exitCode: 3, raw: evil, text: evil, outputLines: 1 }], {
    name: 'a\x1b[2Jb',
    cwd: '/tmp/\x07bell',
  });
  writeTabs(home, ['t1']);
});

describe('on a terminal', () => {
  test('recorded control characters are shown, never sent', async () => {
    const { text } = await runOnTerminal(['block', 'last'], { home });
    expect(text).toBe('one\\e]0;title\\x07\ttwo\\x9b2J\\u{202e}\\r\r\n');
  });

  test('only --raw sends them', async () => {
    const { text } = await runOnTerminal(['block', 'last', '--raw'], { home });
    expect(text).toBe(evil.replace('\n', '\r\n'));
  });

  test('JSON and tables are safe to look at too', async () => {
    const shown = await Promise.all(
      [['block', 'last', '--json'], ['ls'], ['blocks', '--json'], ['block', 'a\x1b[2J']].map((args) =>
        runOnTerminal(args, { home }),
      ),
    );
    for (const { text } of shown)
      expect(text.replaceAll(/\x1b\[\d+m/g, '')).toMatch(/^[^\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]+$/);
  });

  test('colours tell how a command ended', async () => {
    const { text } = await runOnTerminal(['blocks'], { home });
    expect(text).toContain('\x1b[31m3\x1b[39m');
  });

  test('NO_COLOR takes them away', async () => {
    const { text } = await runOnTerminal(['blocks'], { home, env: { NO_COLOR: '1' } });
    expect(text).not.toContain('\x1b');
  });

  test.each([80, 100, 200])('a table fits into %i columns', async (cols) => {
    const { text } = await runOnTerminal(['blocks', 't1'], { home, cols, env: { NO_COLOR: '1' } });
    const [, row = ''] = text.split('\r\n');
    expect(row.endsWith('x…')).toBe(true);
    // 日本語 is three characters in six columns
    expect([...row].length + 3).toBe(cols);
  });
});
