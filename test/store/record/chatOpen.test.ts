import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { isChatOpen } from '../../../src-main/store/record/readChat.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { countedIds } from '../../support/chatOfCast.ts';

function isOpen(lines: readonly ChatLine[]): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'hansard-chat-open-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = new SessionFolder(home, 't1');
  folder.create();
  writeFileSync(folder.chatJsonl, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return isChatOpen(folder);
}

test('a conversation is open until its end, whenever the person names it', async () => {
  const session = new PtyChatSession('t1', countedIds());
  const begun = session.begin({ agent: 'x', cwd: null, blockId: null, at: 0, atMs: 0 });
  const id = begun[0]?.conversationId ?? '';
  const named = session.titled(id, 'The leak');
  const versioned = session.versioned('1.2.3');
  expect(await isOpen([...begun, ...named, ...versioned])).toBe(true);
  const ended = session.end({ at: 9, atMs: 9 });
  expect(await isOpen([...begun, ...ended])).toBe(false);
  expect(await isOpen([...begun, ...ended, ...named])).toBe(false);
});
