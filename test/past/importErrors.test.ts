import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claude } from '../../src-main/past/agents/claude.ts';
import type { PastAgent } from '../../src-main/past/agents/PastAgent.ts';
import { importPast } from '../../src-main/past/importPast.ts';
import { PastHome } from './support/PastHome.ts';
import { LINE_FORMS, messagesOf, type Session, sessionId, writeSession } from './support/syntheticLogs.ts';

const TURNS = [{ prompt: 'Ask', answer: 'Answer' }];
const session = (agent: string, n: number): Session => ({
  ...{ id: sessionId(agent, n), cwd: '/work', atMs: Date.UTC(2026, 0, 1) + n * 600_000, turns: TURNS },
});

/** All logs are imported in one transaction, on a slow machine too. */
function inOneTransaction(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

function formOf(agent: string): (typeof LINE_FORMS)[number] {
  const form = LINE_FORMS.find((one) => one.agent === agent);
  if (!form) throw new Error(`no form of ${agent}`);
  return form;
}

/** Writes a session in OpenCode's old form: a file for each session, message and part. */
class OpenCodeFiles {
  readonly #storage: string;

  constructor(home: string) {
    this.#storage = join(home, '.local/share/opencode/storage');
  }

  write(updated: number, texts: readonly string[]): void {
    const time = { created: Date.UTC(2026, 0, 1), updated };
    this.#put('session/global/ses_a.json', { id: 'ses_a', directory: '/work', title: 'a title', time });
    for (const [n, text] of texts.entries()) {
      this.#put(`message/ses_a/msg_${n}.json`, { id: `msg_${n}`, role: 'user', time: { created: time.created + n } });
      this.#put(`part/msg_${n}/prt_${n}.json`, { id: `prt_${n}`, type: 'text', text });
    }
  }

  /** Lets the session's second message be one that cannot be read. */
  damage(): void {
    rmSync(join(this.#storage, 'message/ses_a/msg_1.json'));
    mkdirSync(join(this.#storage, 'message/ses_a/msg_1.json'));
  }

  #put(path: string, value: object): void {
    mkdirSync(join(this.#storage, path, '..'), { recursive: true });
    writeFileSync(join(this.#storage, path), JSON.stringify(value));
  }
}

test('a source that became damaged keeps what was imported from it, and the logs before and after it are imported', () => {
  using place = new PastHome();
  const files = new OpenCodeFiles(place.home);
  files.write(1, ['first text', 'second text']);
  place.import();
  files.write(2, ['changed text', 'second text']);
  files.damage();
  for (const [agent, atMs] of [
    ['claude', 1],
    ['qwen', Date.now() + 60_000],
  ] as const) {
    const path = writeSession(place.home, formOf(agent), session(agent, 1));
    utimesSync(path, atMs / 1000, atMs / 1000); // the import reads the oldest first
  }
  inOneTransaction();
  const report = place.import();
  expect(report.unread).toEqual([expect.stringMatching(/ses_a\.json: EISDIR/)]);
  expect(report).toMatchObject({ conversations: 2, messages: 2 * messagesOf(TURNS) });
  const said = place.said().join('\n');
  expect(said).toContain('first text');
  expect(said).not.toContain('changed text');
});

test('a message that cannot be written costs its own log, and no other of its transaction', () => {
  using place = new PastHome();
  for (const n of [1, 2]) writeSession(place.home, formOf('claude'), session('claude', n));
  const [path = ''] = [writeSession(place.home, formOf('claude'), session('claude', 3))];
  inOneTransaction();
  const report = place
    .open((file) => [...importPast(file, { home: place.home, env: {}, keepsText: true, agents: [brokenAt(path)] })])
    .at(-1);
  expect(report).toMatchObject({ conversations: 2, messages: 2 * messagesOf(TURNS), files: 3 });
  expect(report?.unread).toEqual([expect.stringContaining(`${path}: `)]);
  expect(place.counts()).toMatchObject({ conversations: 2, messages: 2 * messagesOf(TURNS) });
  expect(place.import()).toMatchObject({ conversations: 1, messages: messagesOf(TURNS), unread: [] });
});

test('a log that begins when the transaction before it is lost is imported too, and a log that cannot be read is named once', () => {
  using place = new PastHome();
  const paths = [1, 2, 3].map((n) => writeSession(place.home, formOf('claude'), session('claude', n)));
  for (const [n, path] of paths.entries()) utimesSync(path, 1000 + n, 1000 + n); // the import reads the oldest first
  inOneTransaction();
  const report = place.open((file) => {
    const lose = () => file.inOne(() => void expect.fail('the disk is full'));
    vi.spyOn(file, 'commit').mockImplementationOnce(lose);
    const agents = [slowAt(paths[1] ?? '')];
    return [...importPast(file, { home: place.home, env: {}, keepsText: true, agents })].at(-1);
  });
  expect(report?.unread).toEqual([`${paths[1]}: it cannot be read`]);
  expect(report).toMatchObject({ conversations: 2, messages: 2 * messagesOf(TURNS) });
  expect(place.counts()).toMatchObject({ conversations: 2, messages: 2 * messagesOf(TURNS) });
});

/** Claude Code, where it takes longer than a transaction to find that this log cannot be read. */
function slowAt(slow: string): PastAgent {
  const [main] = claude.logs;
  if (main?.log.form !== 'lines') throw new Error('its logs have lines');
  const { log } = main;
  const newReader: typeof log.newReader = (sink, spec) => {
    if (spec.path !== slow) return log.newReader(sink, spec);
    vi.advanceTimersByTime(1000);
    throw new Error('it cannot be read');
  };
  return { ...claude, logs: [{ ...main, log: { ...log, newReader } }] };
}

/** Claude Code with a reader that gives the second message of this log a text of another type. */
function brokenAt(broken: string): PastAgent {
  const [main] = claude.logs;
  if (main?.log.form !== 'lines') throw new Error('its logs have lines');
  const { log } = main;
  const newReader: typeof log.newReader = (sink, { path, state }) => {
    const put: typeof sink.fold.put = (message) =>
      sink.fold.put(message.kind === 'model' ? { ...message, text: {} as string } : message);
    const fold = Object.create(sink.fold, { put: { value: put } }) as typeof sink.fold;
    return log.newReader(path === broken ? { fold, usage: (entry) => sink.usage(entry) } : sink, { path, state });
  };
  return { ...claude, logs: [{ ...main, log: { ...log, newReader } }] };
}
