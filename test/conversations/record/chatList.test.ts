import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConversationStore } from '../../../src-main/conversations/record/ConversationStore.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

/** More folders than one page of the list; two conversations share each moment. */
const FOLDERS = 700;

function write(home: string, number: number): string {
  const folder = new SessionFolder(home, `t${String(number).padStart(4, '0')}`);
  mkdirSync(folder.root, { recursive: true });
  const atMs = 1_700_000_000_000 + (number >> 1) * 1000;
  const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'test', extractorVersion: 1, confidence: 1 };
  const message = {
    ...{ id: 'm1', terminalId: folder.id, conversationId: `c${number}`, order: 1, kind: 'user', text: `ask ${number}` },
    ...{ final: true, startedMs: atMs, updatedMs: atMs, provenance, actor: 'user', origins: ['screen'] },
  };
  writeFileSync(folder.chatJsonl, `${JSON.stringify(message)}\n`);
  utimesSync(folder.chatJsonl, atMs / 1000, atMs / 1000);
  return folder.chatJsonl;
}

test('lists every conversation of any number of folders, page by page, and says when there are more', async () => {
  const home = suiteFolder('chat-list');
  for (let number = 0; number < FOLDERS; number += 1) write(home, number);
  const book = new ConversationStore(home, () => undefined);
  const seen: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { conversations, next } = await book.listPage({ limit: 99, cursor });
    seen.push(...conversations.map(({ id }) => id));
    expect(next === null).toBe(seen.length === FOLDERS);
    if (next === null) break;
    cursor = next;
  }
  const newest = Array.from({ length: FOLDERS }, (_, at) => FOLDERS - 1 - at).map(
    (n) => `c${n % 2 === 0 ? n + 1 : n - 1}`,
  );
  expect(seen).toEqual(newest);
  write(home, FOLDERS);
  expect((await book.listPage({ limit: 1 })).conversations).toMatchObject([{ id: `c${FOLDERS}` }]);
  await expect(book.listPage({ limit: 1, cursor: 'nonsense' })).rejects.toThrow(/no cursor/);
});
