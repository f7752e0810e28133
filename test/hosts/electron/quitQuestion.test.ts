import { describe, expect, test } from 'vitest';
import { judgeClose, quitQuestion, readAnswer } from '../../../src-main/hosts/electron/quitQuestion.ts';
import { runningPrograms } from '../../../src-main/hosts/electron/runningPrograms.ts';

describe('a wish to close', () => {
  test.each([
    ['window', [], 'linux', 'end'],
    ['window', [], 'win32', 'end'],
    ['window', [], 'darwin', 'keep'],
    ['quit', [], 'darwin', 'end'],
    ['window', ['make'], 'linux', 'ask'],
    ['window', ['make'], 'darwin', 'ask'],
    ['quit', ['make'], 'linux', 'ask'],
    ['signal', ['make'], 'linux', 'end'],
  ] as const)('%s with %j running on %s: %s', (reason, running, platform, verdict) => {
    expect(judgeClose({ reason, running, platform })).toBe(verdict);
  });
});

describe('the question', () => {
  test('names every program and says what each button does', () => {
    expect(quitQuestion(['make -j8', 'vim notes'])).toMatchObject({
      message: '2 programs still run. Quitting ends them.',
      detail: 'make -j8\nvim notes',
      buttons: ['Keep running in the background', 'Quit and end them', 'Cancel'],
    });
  });

  test('a key pressed in haste loses nothing: Return keeps, Escape cancels', () => {
    const { defaultId, cancelId } = quitQuestion(['make']);
    expect([readAnswer(defaultId ?? -1), readAnswer(cancelId ?? -1), readAnswer(1), readAnswer(99)]).toEqual([
      'keep',
      'cancel',
      'end',
      'cancel',
    ]);
  });

  test('stays small with fifty programs and a screenful of a command', () => {
    const lines = quitQuestion(Array.from({ length: 50 }, () => 'x'.repeat(5_000))).detail?.split('\n') ?? [];
    expect([lines.length, Math.max(...lines.map((line) => line.length)), lines.at(-1)]).toEqual([
      13,
      80,
      '… and 38 more',
    ]);
  });

  test('shows no control or direction character of a name', () => {
    expect(quitQuestion(['a\nb\u001b[31m\u202ec\u009b']).detail).toBe('a b [31m c');
  });
});

test('what runs is told for all terminals, in the order of their tabs, and the stream is closed', async () => {
  let isClosed = false;
  async function* followTerminals() {
    try {
      yield { type: 'all', terminals: [{ id: 'b' }, { id: 'a' }] };
    } finally {
      isClosed = true;
    }
  }
  const terminal = (id: string) => ({ runningPrograms: () => [`${id}1`, `${id}2`] });
  const core = { followTerminals, terminal } as unknown as Parameters<typeof runningPrograms>[0];
  expect([await runningPrograms(core), isClosed]).toEqual([['b1', 'b2', 'a1', 'a2'], true]);
});
