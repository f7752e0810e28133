import { describe, expect, test } from 'vitest';
import { MAX_CHARS_PER_SECOND, MAX_MESSAGES_PER_SECOND, ReadPace } from '../../src-main/machines/ReadPace.ts';

/** Reads for some seconds as fast as the pace lets, and returns the messages and characters of one second on average. */
function flood(messageChars: number, seconds: number) {
  const pace = new ReadPace(0);
  let [nowMs, messages] = [0, 0];
  while (nowMs < seconds * 1_000) {
    messages += 1;
    nowMs += pace.took(messageChars, nowMs);
  }
  return { messages: messages / seconds, chars: (messages * messageChars) / seconds };
}

describe('a machine that sends all it can', () => {
  test('is read at the rate of a second, whether its messages are many or large', () => {
    const small = flood(10, 100);
    expect(small.messages).toBeGreaterThan(MAX_MESSAGES_PER_SECOND * 0.9);
    expect(small.messages).toBeLessThan(MAX_MESSAGES_PER_SECOND * 1.1);
    const large = flood(4 * 1024 * 1024, 100);
    expect(large.chars).toBeGreaterThan(MAX_CHARS_PER_SECOND * 0.9);
    expect(large.chars).toBeLessThan(MAX_CHARS_PER_SECOND * 1.1);
  });

  test('pays for a giant message with a pause, and is read again after it', () => {
    const pace = new ReadPace(0);
    const pauseMs = pace.took(5 * MAX_CHARS_PER_SECOND, 0);
    expect(pauseMs).toBe(2_000);
    expect(pace.took(1, pauseMs + 100)).toBe(0);
  });
});

test('a machine that shows a fast program is never held back', () => {
  const pace = new ReadPace(0);
  for (let atMs = 0; atMs < 60_000; atMs += 8) {
    expect(pace.took(88_000, atMs)).toBe(0);
    expect(pace.took(300, atMs)).toBe(0);
  }
});

test('the first lists of a machine come at once', () => {
  const pace = new ReadPace(0);
  for (let n = 0; n < 2 * MAX_MESSAGES_PER_SECOND; n += 1) expect(pace.took(1_000, 0)).toBe(0);
});
