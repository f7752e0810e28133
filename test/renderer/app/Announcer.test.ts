import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { Announcer, endSentence } from '../../../src-renderer/app/announce/Announcer.svelte.ts';

const ended = (cmd: string | null, exitCode: number | null, kind: Block['kind'] = 'command') =>
  ({ kind, cmd, exitCode, status: 'completed', endedMs: 13_000, durationMs: 12_000, trusted: true }) as Block;

test.each([
  ['npm test', 1, 'npm test failed with exit code 1 after 12 s'],
  ['npm test', 0, 'npm test finished after 12 s'],
  ['npm test\nnpm publish', 0, 'npm test finished after 12 s'],
  ['sleep 99', 130, 'sleep 99: exit 130, interrupted after 12 s'],
  [null, 2, 'Command failed with exit code 2 after 12 s'],
])('%j that ended with %j is said as "%s"', (cmd, exitCode, text) => {
  expect(endSentence(ended(cmd, exitCode))).toBe(text);
});

test('a long command is cut, and what is no command is not said', () => {
  expect(endSentence(ended('x'.repeat(5000), 0)).length).toBeLessThan(100);
  expect(endSentence(ended(null, null, 'background'))).toBe('');
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a hundred commands that end at once are two sentences', () => {
  const announcer = new Announcer();
  const said = new Set<string>();
  for (let at = 0; at < 100; at += 1) {
    announcer.ended(ended(`echo ${at}`, 0));
    said.add(announcer.said.text);
  }
  vi.advanceTimersByTime(60_000);
  said.add(announcer.said.text);
  expect([...said]).toEqual(['echo 0 finished after 12 s', '99 commands ended. The last: echo 99 finished after 12 s']);
});

test('the same end twice is said twice', () => {
  const announcer = new Announcer();
  announcer.ended(ended('ls', 0));
  const { count } = announcer.said;
  vi.advanceTimersByTime(5_000);
  announcer.ended(ended('ls', 0));
  expect(announcer.said.count).toBe(count + 1);
  announcer.dispose();
});
