import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { PastFile } from '../../src-main/store/past/PastFile.ts';
import { PastHome } from './support/PastHome.ts';
import {
  LINE_FORMS,
  messagesOf,
  type Session,
  sessionId,
  writeDatabase,
  writeSession,
} from './support/syntheticLogs.ts';

const SESSIONS = 300;
/** Imported conversations at the kill: near the start, in the middle, and in the last source. */
const KILLED_AT = [3, 700, 1510];

function session(agent: string, n: number): Session {
  const turns = Array.from({ length: 4 }, (_, at) => ({
    prompt: `Question ${at} of ${agent} ${n}`,
    answer: `${'word '.repeat(300)} ${at} ${n}`,
    tool: `output ${n}`,
  }));
  return { id: sessionId(agent, n), cwd: '/work/project', atMs: Date.UTC(2026, 0, 1) + n * 600_000, turns };
}

const found = (dataFolder: string): number => {
  const file = PastFile.openToRead(dataFolder);
  try {
    return file?.get<{ count: number }>('SELECT count(*) AS count FROM conversations')?.count ?? 0;
  } finally {
    file?.close();
  }
};

test('an import that is killed again and again ends with exact counts', { timeout: 120_000 }, async () => {
  using place = new PastHome();
  writeAll(place.home);
  for (const wanted of KILLED_AT) {
    const child = startImport(place);
    const ended = once(child, 'exit');
    while (child.exitCode === null && found(place.dataFolder) < wanted) await setImmediate();
    child.kill('SIGKILL');
    await ended;
  }
  const [code] = await once(startImport(place), 'exit');
  expect(code).toBe(0);
  expectAll(place);
});

test('two imports at the same time add nothing twice', { timeout: 120_000 }, async () => {
  using place = new PastHome();
  writeAll(place.home);
  const codes = await Promise.all([startImport(place), startImport(place)].map((child) => once(child, 'exit')));
  expect(codes.map(([code]) => code)).toEqual([0, 0]);
  expectAll(place);
});

function writeAll(home: string): void {
  const sessions = (agent: string) => Array.from({ length: SESSIONS }, (_, n) => session(agent, n));
  for (const form of LINE_FORMS) for (const one of sessions(form.agent)) writeSession(home, form, one);
  writeDatabase(home, sessions('opencode'));
}

function startImport({ home, dataFolder }: PastHome): ChildProcess {
  return spawn(process.execPath, [`${findAppFiles().root}/out/main/cli.js`, 'import'], {
    env: { PATH: process.env.PATH, HOME: home, HANSARD_HOME: dataFolder },
    stdio: 'ignore',
  });
}

function expectAll(place: PastHome): void {
  const kinds = LINE_FORMS.length + 1;
  const messages = SESSIONS * kinds * messagesOf(session('claude', 0).turns);
  expect(place.counts()).toMatchObject({ conversations: SESSIONS * kinds, messages });
  const listed = place.open((file) => file.get<{ sum: number }>('SELECT sum(messages) AS sum FROM conversations')?.sum);
  expect(listed).toBe(messages);
}
