import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ScreenReading, WaitQuery, type WaitResult } from '../../../src-main/contract/screen/screen.ts';
import { type CoveredRow, coveredReading } from '../../../src-main/redaction/redactedReading.ts';
import { redactRows } from '../../../src-main/redaction/redactRows.ts';
import { TOKEN_FORMS } from '../../../src-main/redaction/tokenForms.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenWatch } from '../../../src-main/screen/waits/ScreenWatch.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

/** The pieces that a program prints around the secret, and the size of its screen. */
interface Show {
  readonly cols: number;
  readonly rows: number;
  readonly before: readonly string[];
  readonly ahead: string;
  readonly behind: string;
  readonly after: readonly string[];
  /** Sequences before everything, right before the secret's line, and right after it. */
  readonly mode: readonly [string, string, string];
  readonly scrollbackLines: number;
}

interface Guess {
  readonly pattern: string;
  readonly scope: 'new' | 'screen' | 'scrollback';
  readonly isAbsent: boolean;
  /** True: the wait is open while the secret is printed. False: it starts afterwards and looks back. */
  readonly isEarly: boolean;
}

const chars = (set: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...set), minLength: length, maxLength: length });
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const BASE64 = `${LOWER}${LOWER.toUpperCase()}0123456789+/`;

/** Pairs of tokens of one form that differ only in their secret part. */
const tokenPairs = TOKEN_FORMS.map(({ form }) => {
  const one = fc.stringMatching(new RegExp(`^${form.replaceAll(/(\d+),\d*\}/g, '$1}').replaceAll('*', '{4}')}$`));
  return fc.tuple(one, one);
});
const named = ['password=', 'DB_PASSWORD=', '"clientSecret": ', '--token ', 'Authorization: Bearer ', 'curl -u me:'];
const namedPairs = fc.integer({ min: 8, max: 40 }).chain((length) =>
  fc.constantFrom(...named).chain((name) => {
    const value = chars(`${LOWER}0123456789`, length).map((text) => `${name}a1${text}`);
    return fc.tuple(value, value);
  }),
);
const urlPairs = chars(LOWER, 12).chain(() => {
  const url = chars(`${LOWER}0123456789`, 12).map((password) => `postgres://app:${password}@db:5432/x`);
  return fc.tuple(url, url);
});
const keyPairs = fc.integer({ min: 3, max: 12 }).chain((lines) => {
  const body = fc.array(
    chars(BASE64, 61).map((text) => `aB1${text}`),
    { minLength: lines, maxLength: lines },
  );
  const key = body.map((own) =>
    ['-----BEGIN PRIVATE KEY-----', ...own, 'aB3=', '-----END PRIVATE KEY-----'].join('\r\n'),
  );
  return fc.tuple(key, key);
});
const pairs = fc.oneof(fc.oneof(...tokenPairs), namedPairs, urlPairs, keyPairs);

const words = fc.constantFrom('', 'ls', 'made in 12 ms', 'and so on ', 'x'.repeat(25), '.'.repeat(70), 'ok: yes');
const shows: fc.Arbitrary<Show> = fc.record({
  cols: fc.constantFrom(20, 40, 80),
  rows: fc.constantFrom(4, 10, 24),
  before: fc.array(words, { maxLength: 6 }),
  ahead: fc.constantFrom('', 'one ', `${'-'.repeat(30)} `, `${'. '.repeat(35)}`),
  behind: fc.constantFrom('', ' word', '\r\nword', ` ${'_'.repeat(50)} word`),
  after: fc.array(words, { maxLength: 30 }),
  mode: fc.constantFrom(
    ['', '', ''] as const,
    ['\x1b[?1049h', '', ''] as const,
    ['', '\x1b[?1049h', ''] as const,
    ['', '', '\x1b[?1049h'] as const,
    ['\x1b[2;4r', '', ''] as const,
    ['', '\x1b[?2026h', '\x1b[?2026l'] as const,
    ['', '\x1b[?2026h', ''] as const,
    ['', '\x1b[H\x1b[2J', ''] as const,
    ['', '', '\x1b[3J'] as const,
  ),
  scrollbackLines: fc.constantFrom(3, 500),
});

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\r\n', '\\n');

/** Patterns of a client that knows, or guesses, a part of the secret. */
function guessesAt(secret: string, { ahead, behind }: Show): fc.Arbitrary<string> {
  const piece = fc.tuple(fc.nat(secret.length - 1), fc.integer({ min: 1, max: 90 })).map(([from, length]) => {
    return escaped(secret.slice(from, from + length));
  });
  const most = Math.min(200, secret.length); // a pattern can have at most 512 characters
  const first = fc.integer({ min: 1, max: most }).map((end) => escaped(secret.slice(0, end)));
  const last = fc.integer({ min: 1, max: most }).map((length) => escaped(secret.slice(-length)));
  const [before, after] = [escaped(ahead.trim()), escaped(behind.trim())];
  return fc.oneof(
    piece,
    first.map((own) => `${before} ?${own}`),
    last.map((own) => `${own} ?${after}`),
    first.map((own) => `${before} ?(?=${own})`),
    first.map((own) => `${before} ?(?!${own})`),
    last.map((own) => `(?<=${own}) ?${after}`),
    piece.map((own) => `(${own})|never`),
    fc.constantFrom(`\\S{${secret.length}}`, `${before} ?\\S{30,} ?${after}`, '\\[redacted\\]', 'word'),
  );
}

const cases = fc.tuple(pairs, shows).chain(([[secret, other], show]) =>
  fc.record({
    secret: fc.constant(secret),
    other: fc.constant(other),
    show: fc.constant(show),
    guess: fc.record({
      pattern: guessesAt(secret, show),
      scope: fc.constantFrom('new' as const, 'screen' as const, 'scrollback' as const),
      isAbsent: fc.boolean(),
      isEarly: fc.boolean(),
    }),
  }),
);

/** A row as a picture shows it, with a block per covered character. It reveals the secret's length, which texts do not. */
function blocked({ line, covered }: CoveredRow): string {
  return [...line.text.split('').keys()].map((unit) => (covered.has(unit) ? '█' : line.text[unit])).join('');
}

/** Prints the show with the secret. Returns the wait's answer, and the redacted screen with scrollback after each piece. */
function play(secret: string, show: Show, { guess, redacted }: { guess: Guess; redacted: boolean }) {
  const clock = new FakeClock();
  const model = new ScreenModel(show, clock);
  const results: WaitResult[] = [];
  const watch = new ScreenWatch({
    terminalId: 't',
    run: 'r',
    model,
    clock,
    tellRows: redactRows,
    tell: () => undefined,
    waited: (_, result) => void results.push(result),
    live: () => undefined,
    isBehind: () => false,
  });
  const told: string[] = [];
  const reading = (): ScreenReading => {
    const read = watch.read({ scrollback: 500, withFrame: true });
    if ('error' in read) throw new Error(read.error);
    return read;
  };
  const note = (): void => {
    const { rows, scrollback } = coveredReading(reading());
    told.push([...scrollback, ...rows.values()].map(blocked).join('\n'));
  };
  const print = (text: string): void => {
    model.write(new TextEncoder().encode(text));
    watch.changed();
    watch.settle();
    note();
  };
  const [first, ahead, behind] = show.mode;
  print(first);
  for (const line of show.before) print(`${line}\r\n`);
  const { seq } = reading();
  const { pattern, scope, isAbsent, isEarly } = guess;
  const condition = isAbsent ? { type: 'absent', pattern } : { type: 'match', pattern, scope };
  const query = { conditions: [condition], since: seq, redacted };
  if (isEarly) watch.wait(1, WaitQuery.parse({ ...query, timeoutMs: 1000 }));
  print(`${ahead}${show.ahead}${secret}${show.behind}\r\n${behind}`);
  for (const line of show.after) print(`${line}\r\n`);
  if (isEarly) clock.advance(1000);
  else watch.wait(1, WaitQuery.parse({ ...query, timeoutMs: 0 }));
  note(); // rows of an open synchronized update appear when it times out
  watch.dispose();
  model.dispose();
  const [result] = results;
  if (!result) throw new Error('a wait without an answer');
  const { outcome, met, match, reason } = result;
  return { told, answer: { outcome, met, match, reason } };
}

test('a wait says of two secrets of one length the same, wherever they stand, when they are told in the same way (law)', () => {
  let differentRaw = 0;
  let judged = 0;
  fc.assert(
    fc.property(cases, ({ secret, other, show, guess }) => {
      fc.pre(secret.length === other.length); // positions are those of the screen, and reveal the secret's length
      const [one, two] = [secret, other].map((own) => play(own, show, { guess, redacted: true }));
      if (JSON.stringify(one?.told) !== JSON.stringify(two?.told)) return; // different shapes, or not recognised as a secret all the time
      judged += 1;
      expect(one?.answer).toEqual(two?.answer);
      const raw = [secret, other].map((own) => JSON.stringify(play(own, show, { guess, redacted: false }).answer));
      if (raw[0] !== raw[1]) differentRaw += 1;
    }),
    fuzzRuns(400),
  );
  // most pairs count, and without redaction many answers differ
  expect(judged).toBeGreaterThan(200);
  expect(differentRaw).toBeGreaterThan(60);
});

test('a wait on a screen without secrets says what it says unredacted (law)', () => {
  const plain = fc
    .tuple(shows, words, fc.constantFrom('word', 'ok: (y)es', '^x+$', 'ms$', 'never', '\\.{30}'))
    .chain(([show, line, pattern]) =>
      fc.record({
        show: fc.constant(show),
        line: fc.constant(line),
        guess: fc.record({
          pattern: fc.constant(pattern),
          scope: fc.constantFrom('new' as const, 'screen' as const, 'scrollback' as const),
          isAbsent: fc.boolean(),
          isEarly: fc.boolean(),
        }),
      }),
    );
  fc.assert(
    fc.property(plain, ({ show, line, guess }) => {
      const [redacted, raw] = [true, false].map((own) => play(line, show, { guess, redacted: own }).answer);
      expect(redacted).toEqual(raw);
    }),
    fuzzRuns(300),
  );
});
