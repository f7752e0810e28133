import { describe, expect, test } from 'vitest';
import { judgeClose, quitQuestion, readAnswer } from '../../../src-main/hosts/electron/quitQuestion.ts';
import { runningPrograms } from '../../../src-main/hosts/electron/runningPrograms.ts';

describe('a wish to close', () => {
  test.each([
    ['window', [], 'linux', 'ask', 'end'],
    ['window', [], 'win32', 'ask', 'end'],
    ['window', [], 'darwin', 'ask', 'keep'],
    ['quit', [], 'darwin', 'keep', 'end'],
    ['window', ['make'], 'linux', 'ask', 'ask'],
    ['window', ['make'], 'darwin', 'ask', 'ask'],
    ['quit', ['make'], 'linux', 'ask', 'ask'],
    ['quit', ['make'], 'linux', 'keep', 'keep'],
    ['window', ['make'], 'darwin', 'end', 'end'],
    ['signal', ['make'], 'linux', 'keep', 'end'],
  ] as const)(
    '%s with %j running on %s, where the setting says %s: %s',
    (reason, running, platform, whileRunning, verdict) => {
      expect(judgeClose({ reason, running, platform, whileRunning })).toBe(verdict);
    },
  );
});

describe('the question', () => {
  test('names every program and says what each button does', () => {
    expect(quitQuestion(['make -j8', 'vim notes'])).toMatchObject({
      message: '2 programs are still running. Quitting ends them.',
      detail: 'make -j8\nvim notes',
      buttons: ['Keep running', 'End all and quit', 'Cancel'],
    });
  });

  test('a key pressed in haste loses nothing: Return keeps, Escape cancels', () => {
    const { defaultId, cancelId } = quitQuestion(['make']);
    const answers = [defaultId ?? -1, cancelId ?? -1, 1, 99].map((response) =>
      readAnswer({ response, checkboxChecked: false }),
    );
    expect(answers.map(({ answer }) => answer)).toEqual(['keep', 'cancel', 'end', 'cancel']);
  });

  test('an answer is remembered when the person says so, a cancel never', () => {
    const remembered = [0, 1, 2, 99].map((response) => readAnswer({ response, checkboxChecked: true }).isRemembered);
    expect([...remembered, readAnswer({ response: 0, checkboxChecked: false }).isRemembered]).toEqual([
      true,
      true,
      false,
      false,
      false,
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
  const terminal = (id: string) => ({ input: { runningPrograms: () => [`${id}1`, `${id}2`] } });
  const core = { followTerminals, terminal } as unknown as Parameters<typeof runningPrograms>[0];
  expect([await runningPrograms(core), isClosed]).toEqual([['b1', 'b2', 'a1', 'a2'], true]);
});
