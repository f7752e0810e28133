import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  coreNowMs,
  formatClock,
  formatDay,
  formatFullTime,
  formatTimeOfDay,
  meetCoreClock,
  showClock,
} from '../../../src-renderer/app/clock.svelte.ts';
import { sourceFiles } from '../../support/sourceFiles.ts';

afterEach(() => showClock('24'));

describe('a time of day', () => {
  test.each([
    [0, 5, '00:05', '12:05 AM'],
    [9, 4, '09:04', '9:04 AM'],
    [11, 59, '11:59', '11:59 AM'],
    [12, 0, '12:00', '12:00 PM'],
    [23, 30, '23:30', '11:30 PM'],
  ])('%i h %i reads %s or %s', (hour, minute, of24, of12) => {
    const at = new Date(2026, 6, 3, hour, minute).getTime();
    showClock('24');
    expect(formatTimeOfDay(at)).toBe(of24);
    showClock('12');
    expect(formatTimeOfDay(at)).toBe(of12);
  });

  test('matches the system where nothing else is chosen', () => {
    showClock('system');
    const hasTwelve = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12 === true;
    expect(formatTimeOfDay(new Date(2026, 6, 3, 14, 5).getTime())).toBe(hasTwelve ? '2:05 PM' : '14:05');
  });

  const at = new Date(2026, 6, 3, 9, 4, 7).getTime();
  test.each([
    ['the same day', new Date(2026, 6, 3, 23, 59), '09:04'],
    ['another day', new Date(2026, 6, 4, 0, 1), '3 Jul 09:04'],
    ['another year', new Date(2027, 0, 1), '3 Jul 2026 09:04'],
  ])('has as much of the date as %s needs', (_, now, text) => {
    expect(formatClock(at, now.getTime())).toBe(text);
  });

  test('is whole in a tip', () => {
    expect(formatFullTime(at)).toBe('3 Jul 2026 09:04:07');
    showClock('12');
    expect(formatFullTime(at)).toBe('3 Jul 2026 9:04:07 AM');
  });

  test.each([
    [new Date(2026, 6, 3, 23), 'Today'],
    [new Date(2026, 6, 4), 'Yesterday'],
    [new Date(2026, 6, 9), 'Friday 3 July'],
    [new Date(2027, 6, 9), '3 July 2026'],
  ])('is a day as seen from %s', (now, day) => {
    expect(formatDay(at, now.getTime())).toBe(day);
  });
});

test('no other file of the window makes times of its own', () => {
  const own = 'src-renderer/app/clock.svelte.ts';
  // Numbers, not times: the same in every locale.
  const counts = /count\.toLocaleString\('en-US'\)/;
  const faults = sourceFiles('src-renderer', ['.ts', '.svelte']).flatMap(({ path, text }) =>
    path === own
      ? []
      : text
          .split('\n')
          .filter((line) => /toLocale\w*|DateTimeFormat|getHours\(|getMinutes\(|toTimeString/.test(line))
          .filter((line) => !counts.test(line))
          .map((line) => `${path}: ${line.trim()}`),
  );
  expect(faults).toEqual([]);
});

test('now is by the core’s clock, until it says otherwise', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  try {
    meetCoreClock(400_000);
    vi.advanceTimersByTime(5_000);
    expect(coreNowMs()).toBe(405_000);
    meetCoreClock(undefined); // a core of an earlier version does not say it
    expect(coreNowMs()).toBe(405_000);
    meetCoreClock(2_000_000);
    expect(coreNowMs()).toBe(2_000_000);
  } finally {
    vi.useRealTimers();
    meetCoreClock(Date.now());
  }
});
