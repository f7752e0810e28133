import { expect, test } from 'vitest';
import type { Block } from '../../../../src-main/contract/block.ts';
import { exitMeaning } from '../../../../src-renderer/cards/card/exitMeaning.ts';

const ended = { status: 'completed', exitCode: 0, endedBy: 'mark', trusted: true, kind: 'command' } as const;

test.each([
  [0, 'ok', ''],
  [1, 'failed', 'exit 1'],
  [2, 'failed', 'exit 2'],
  [126, 'failed', '126 not executable'],
  [127, 'failed', '127 not found'],
  [129, 'neutral', '129 hung up'],
  [130, 'neutral', '130 interrupted'],
  [134, 'failed', '134 aborted'],
  [137, 'failed', '137 killed'],
  [139, 'failed', '139 segmentation fault'],
  [141, 'neutral', '141 pipe closed'],
  [143, 'failed', '143 terminated'],
  [148, 'neutral', '148 stopped'],
  [255, 'failed', 'exit 255'],
] as const)('exit code %i is %s and its badge says "%s"', (exitCode, tone, badge) => {
  const { label: _, ...shown } = exitMeaning({ ...ended, exitCode });
  expect(shown).toEqual({ tone, badge });
});

test("the record's signal name wins over the number, which differs between systems", () => {
  expect(exitMeaning({ ...ended, exitCode: 146, signal: 'SIGTSTP' })).toMatchObject({
    tone: 'neutral',
    badge: '146 stopped',
  });
});

test.each([
  [{ status: 'running', exitCode: null, endedBy: null }, 'running', ''],
  [{ status: 'interrupted', exitCode: null, endedBy: 'recovery' }, 'neutral', 'cut off'],
  [{ status: 'interrupted', exitCode: null, endedBy: 'shell-exit' }, 'neutral', 'shell exited'],
  [{ status: 'interrupted', exitCode: null, endedBy: 'prompt' }, 'neutral', 'interrupted'],
  [{ status: 'superseded', exitCode: null, endedBy: 'superseded' }, 'neutral', 'end unknown'],
  [{ status: 'unknown_end', exitCode: null, endedBy: 'prompt' }, 'neutral', 'end unknown'],
  [{ status: 'interrupted', exitCode: null, endedBy: 'shell-exit', signal: 'SIGKILL' }, 'failed', 'killed'],
  [{ status: 'completed', exitCode: null, endedBy: 'mark', kind: 'background' }, 'neutral', ''],
] as const)('%o is %s and its badge says "%s"', (how, tone, badge) => {
  const { label: _, ...shown } = exitMeaning({ ...ended, ...how } as Block);
  expect(shown).toEqual({ tone, badge });
});

test('what an untrusted mark claims is never shown as a failure', () => {
  for (let exitCode = 1; exitCode < 256; exitCode += 1) {
    const meaning = exitMeaning({ ...ended, exitCode, trusted: false });
    expect([meaning.tone, meaning.badge.startsWith('claims ')]).toEqual(['neutral', true]);
  }
});
