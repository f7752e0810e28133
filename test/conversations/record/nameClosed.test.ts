import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { ConversationStore } from '../../../src-main/conversations/record/ConversationStore.ts';
import { nameClosed } from '../../../src-main/conversations/record/nameClosed.ts';
import { restedPath } from '../../../src-main/store/files/openRecordFile.ts';
import { markWriter } from '../../../src-main/store/instance/writerMark.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const TERMINAL = 't1-closed';

function recorded() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-name-closed-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  const folder = new SessionFolder(dataFolder, TERMINAL);
  folder.create();
  const session = new PtyChatSession(TERMINAL, countedIds());
  const begun = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  const lines = [...begun, ...session.end({ at: 9, atMs: 9 })];
  writeFileSync(folder.chatJsonl, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const conversationId = begun[0]?.conversationId ?? '';
  const deps = { dataFolder, clock: new FakeClock(), log: () => undefined };
  const chats = new ConversationStore(dataFolder, () => undefined);
  return {
    folder,
    before: readFileSync(folder.chatJsonl, 'utf8'),
    title: async () => (await chats.list({ terminalId: TERMINAL, limit: 5 }))[0]?.title,
    name: (title: string, { id = conversationId, isOpen = false } = {}) =>
      nameClosed({ terminalId: TERMINAL, conversationId: id, title }, deps, () => isOpen),
  };
}

test('a conversation of a closed terminal gets the name that the person typed, and loses no line', async () => {
  const { folder, before, title, name } = recorded();
  expect(await title()).toBe('');
  expect(await name('Light the lamp')).toBe(true);
  expect(await title()).toBe('Light the lamp');
  expect(await name('שלום 🪔')).toBe(true);
  expect(await title()).toBe('שלום 🪔');
  expect(await name('')).toBe(true);
  expect(await title()).toBe('');
  expect(readFileSync(folder.chatJsonl, 'utf8').startsWith(before)).toBe(true);
});

test('nothing is written into a file that another writer has, or that is not there', async () => {
  const { folder, before, name } = recorded();
  expect(await name('one', { id: 'other' })).toBe(false);
  expect(await name('two', { isOpen: true })).toBe(false);
  const mark = markWriter(folder);
  expect(await name('three')).toBe(false);
  mark.dispose();
  expect(readFileSync(folder.chatJsonl, 'utf8')).toBe(before);
  renameSync(folder.chatJsonl, restedPath(folder.chatJsonl)); // archived; a new plain file would hide it
  await expect(name('four')).rejects.toThrow();
  expect(SessionFolder.list(join(folder.chatJsonl, '../../..'))).toEqual([TERMINAL]);
});
