import { afterEach, describe, expect, test } from 'vitest';
import type { TerminalEvent } from '../../src-main/contract/event.ts';
import { EndWatch } from '../../src-main/terminal/EndWatch.ts';
import { runCommand, TestCore, until } from '../support/TestCore.ts';

const mark = (type: string, more: object = {}): TerminalEvent =>
  ({ type, trusted: true, at: 0, end: 1, ...more }) as unknown as TerminalEvent;
const begin = mark('begin');
const end = mark('end');
const prompt = (id: string): TerminalEvent => mark('prompt', { shell: 'zsh', words: { id: `${id}.1` } });

describe('an end that was due', () => {
  test.each<[string, TerminalEvent[], boolean]>([
    ['came', [prompt('a'), begin, end, prompt('a')], false],
    ['did not come', [prompt('a'), begin, prompt('a')], true],
    ['did not come before the next command began', [prompt('a'), begin, begin, end, prompt('a')], true],
    ['is not due when nothing began', [prompt('a'), prompt('a')], false],
    ['belongs to a shell behind the one that draws prompts now', [prompt('a'), begin, prompt('b')], false],
    ['is not due for marks that are not trusted', [prompt('a'), mark('begin', { trusted: false }), prompt('a')], false],
    ['came again afterwards', [prompt('a'), begin, prompt('a'), begin, end, prompt('a')], false],
  ])('%s', (_, events, isLost) => {
    const watch = new EndWatch();
    expect(events.map((event) => watch.isLost(event)).at(-1)).toBe(isLost);
  });
});

describe('in a real fish', () => {
  let core: TestCore;
  afterEach(() => core.dispose());

  test('lowers the quality, with the reason, when its own code swallows an end', async () => {
    core = await TestCore.start();
    core.write(
      '.config/fish/config.fish',
      'function lose --on-event fish_postexec; test -e ~/lose; and set -g __hansard_running 0; end',
    );
    const terminal = await core.open('fish');
    await runCommand(terminal, 'true');
    const before = terminal.view.quality.level;
    const lost = await runCommand(terminal, 'touch ~/lose');
    const { level, reason } = terminal.view.quality;
    expect([lost.exitCode, before, level]).toEqual([null, 'rich', 'degraded']);
    expect(reason).toContain('did not report the end of the last command');
    await until(terminal, ({ view }) => view.atPrompt);
  });
});
