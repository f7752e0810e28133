import { expect, test } from 'vitest';
import { sourceFiles } from '../support/sourceFiles.ts';

/** Files that write in another way: whole files that are replaced, copies that are renamed, marks of processes, files for a program that
 * the record does not hold. None is appended to. */
const NO_STREAMS = [
  'src-main/core/uploads/writeSentFile.ts',
  'src-main/terminal/HookLoader.ts',
  'src-main/mcp/access/AllowedCommandsFile.ts',
  'src-main/store/archive/RestDisk.ts',
  'src-main/store/instance/lockFile.ts',
  'src-main/store/files/replaceFile.ts',
  'src-main/store/record/listTerminals.ts',
  'src-main/store/record/rollScreenFile.ts',
  'src-main/store/files/tornTail.ts',
  'src-main/store/instance/writerMark.ts',
];
/** Syncs with the entries that it speaks of, which are synced by the rule. */
const SYNCED_BY_ITS_OWNER = 'src-main/store/audit/auditHead.ts';

/** Folders that keep something of what happened. */
const KEEPERS = ['store', 'terminal', 'conversations', 'recordings', 'core', 'notices', 'search', 'redaction', 'mcp'];
const files = KEEPERS.flatMap((folder) => sourceFiles(`src-main/${folder}`, ['.ts']));

test('every class that opens a file of the record has a sync timer', () => {
  const openers = files.filter(({ text }) => text.includes('new RecordFile('));
  const unsynced = openers.filter(({ path, text }) => path !== SYNCED_BY_ITS_OWNER && !text.includes('new SyncTimer('));
  expect(
    openers.map(({ path }) => path),
    'a new one needs a SyncTimer; then correct the number here',
  ).toHaveLength(3);
  expect(unsynced.map(({ path }) => `${path}: start a SyncTimer at each write`)).toEqual([]);
});

test('what keeps something writes streams through AppendFile and JsonLines alone', () => {
  const writing = /\b(?:appendFile|appendFileSync|createWriteStream|writeFile|writeFileSync)\(/;
  const others = files.filter(({ path, text }) => writing.test(text) && !NO_STREAMS.includes(path));
  expect(others.map(({ path }) => `${path}: use AppendFile or JsonLines, which sync`)).toEqual([]);
});
