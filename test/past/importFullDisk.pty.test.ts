import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { PastImportReport } from '../../src-main/contract/past.ts';
import { importPast } from '../../src-main/past/importPast.ts';
import { PastFile } from '../../src-main/store/past/PastFile.ts';
import { SmallDisk } from '../support/SmallDisk.ts';
import { PastHome } from './support/PastHome.ts';
import { LINE_FORMS, messagesOf, type Session, sessionId, writeSession } from './support/syntheticLogs.ts';

const SESSIONS = 40;
const TURNS = Array.from({ length: 4 }, (_, n) => ({ prompt: `Question ${n}`, answer: 'word '.repeat(10_000) }));
const ALL = { conversations: SESSIONS * LINE_FORMS.length, messages: SESSIONS * LINE_FORMS.length * messagesOf(TURNS) };
const DISK_BYTES = 200e6;
/** Less than the text, which is about 40 MB. */
const FREE_BYTES = 24e6;

function importInto(file: PastFile, home: string): PastImportReport {
  let last: PastImportReport | null = null;
  for (const report of importPast(file, { home, env: {}, keepsText: true })) last = report;
  if (!last) throw new Error('an import always reports');
  return last;
}

function counts(dataFolder: string): { conversations: number; messages: number } {
  const file = PastFile.open(dataFolder);
  try {
    const sql =
      'SELECT (SELECT count(*) FROM conversations) AS conversations, (SELECT count(*) FROM messages) AS messages';
    const row = file.get<{ conversations: number; messages: number }>(sql);
    return { conversations: row?.conversations ?? -1, messages: row?.messages ?? -1 };
  } finally {
    file.close();
  }
}

test('an import on a full disk names each log that is missing, counts only what is written, and continues later', (context) => {
  using place = new PastHome();
  const disk = new SmallDisk(DISK_BYTES);
  onTestFinished(() => disk.dispose());
  if (!disk.isMounted) context.skip('this machine does not allow mounts');
  for (const form of LINE_FORMS)
    for (let n = 0; n < SESSIONS; n += 1) {
      const session: Session = {
        id: sessionId(form.agent, n),
        cwd: '/work',
        atMs: Date.UTC(2026, 0, 1) + n * 1e6,
        turns: TURNS,
      };
      writeSession(place.home, form, session);
    }
  writeFileSync(disk.filler, Buffer.alloc(DISK_BYTES - FREE_BYTES));
  const file = PastFile.open(disk.path);
  const report = importInto(file, place.home);
  try {
    file.close();
  } catch {
    // closing writes too
  }
  disk.free();
  const written = counts(disk.path);
  expect(written.conversations).toBeGreaterThan(0);
  expect(written.conversations).toBeLessThan(ALL.conversations);
  expect(report).toMatchObject(written);
  expect(report.unread.length).toBe(Math.min(50, ALL.conversations - written.conversations));
  expect(report.unread.every((line) => /disk is full|disk I\/O error/.test(line))).toBe(true);

  const again = PastFile.open(disk.path);
  const rest = importInto(again, place.home);
  again.close();
  expect(rest.unread).toEqual([]);
  expect(counts(disk.path)).toEqual(ALL);
  expect(rest.messages).toBe(ALL.messages - written.messages);
});
