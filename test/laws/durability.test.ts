import { expect, test } from 'vitest';
import { sourceFiles } from '../support/sourceFiles.ts';

/** Sources that never append: they replace whole files, rename copies, mark processes, or write files for a program that are not part of
 * the record. */
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
/** Syncs together with the entries that it describes, which follow the rule. */
const SYNCED_BY_ITS_OWNER = 'src-main/store/audit/auditHead.ts';

/** Folders whose code writes records. */
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
