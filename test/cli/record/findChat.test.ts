import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { listChats } from '../../../src-main/cli/record/findChat.ts';
import { RecordReader } from '../../../src-main/cli/record/RecordReader.ts';
import { PastFile, pastPath } from '../../../src-main/store/past/PastFile.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

function withOneChat(name: string): string {
  const home = suiteFolder(name);
  const folder = new SessionFolder(home, 't1-aa');
  mkdirSync(folder.root, { recursive: true });
  const begun = { type: 'cli:newSession', id: 'e1', order: 1, at: 0, atMs: 5, agent: 'claude', cwd: '/' };
  const line = { ...begun, conversationId: 'c1', terminalId: folder.id };
  writeFileSync(folder.chatJsonl, `${JSON.stringify(line)}\n`);
  return home;
}

test.each<[string, (home: string) => void]>([
  ['is damaged', (home) => writeFileSync(pastPath(home), 'no database'.repeat(100))],
  [
    'is of a later version',
    (home) => {
      const file = PastFile.open(home);
      file.run('PRAGMA user_version = 99');
      file.close();
    },
  ],
])(
  'recorded conversations are listed also where the file of the imported ones %s, which is noted',
  async (what, spoil) => {
    const home = withOneChat(`chats ${what}`);
    spoil(home);
    const record = await RecordReader.open(home);
    const note = vi.spyOn(record, 'note');
    const { conversations, next } = await listChats(record, { limit: 10 });
    expect([conversations.map(({ id }) => id), next]).toEqual([['c1'], null]);
    expect(note.mock.calls.map(([{ path }]) => path)).toEqual([pastPath(home)]);
  },
);
