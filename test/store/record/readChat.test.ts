import { mkdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent, ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { compressFile } from '../../../src-main/store/archive/compressFile.ts';
import { readChat } from '../../../src-main/store/record/readChat.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { jsonLines } from '../records.ts';
import { suiteFolder } from '../suiteFolder.ts';

const folder = new SessionFolder(suiteFolder('chat'), 't1');
mkdirSync(folder.root, { recursive: true });

function message(id: string, order: number, text: string): ChatMessage {
  const provenance = { rawStart: 0, rawEnd: 9, seq: 1, extractor: 'generic', extractorVersion: 1, confidence: 1 };
  const times = { startedMs: 1, updatedMs: 2 };
  const whose = { terminalId: 't1', conversationId: 'c1', actor: 'user' };
  return { id, order, kind: 'model', text, final: true, origins: ['screen'], provenance, ...times, ...whose };
}

function event(id: string, order: number, type: ChatEvent['type']): ChatEvent {
  return { type, id, terminalId: 't1', conversationId: 'c1', order, atMs: 5, at: 7 };
}

const line: fc.Arbitrary<ChatLine> = fc.oneof(
  fc.tuple(fc.nat(9), fc.string({ unit: 'grapheme' })).map(([n, text]) => message(`m${n}`, n, text)),
  fc.nat(9).map((n) => event(`e${n}`, n + 0.5, 'screenCleared')),
);

describe('readChat', () => {
  test('gives each message and event once, as it was written last, in the order of the log (law)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        writeFileSync(folder.chatJsonl, jsonLines(lines));
        const latest = new Map(lines.map((one) => [one.id, one]));
        const inOrder = [...latest.values()].sort((a, b) => a.order - b.order);
        expect(await readChat(folder)).toEqual({ lines: inOrder, badLines: 0 });
      }),
      fuzzRuns(60),
    );
  });

  test('counts what is damaged and reads on behind it; a line that is still being written is not damage', async () => {
    const [first, second] = [message('m1', 1, 'one'), event('e1', 2, 'cli:exit')];
    const wrong = JSON.stringify({ ...first, kind: 'sermon' });
    writeFileSync(
      folder.chatJsonl,
      `${jsonLines([first])}garbage\n\n{"id":"m9"}\n${wrong}\n${jsonLines([second])}{"kind":"mo`,
    );
    expect(await readChat(folder)).toEqual({ lines: [first, second], badLines: 3 });
  });

  test('reads a compressed record, and of a terminal without conversations nothing', async () => {
    const other = new SessionFolder(folder.dataFolder, 't2');
    mkdirSync(other.root);
    const lines = Array.from({ length: 5000 }, (_, at) => message(`m${at}`, at, `word ${at}`));
    writeFileSync(other.chatJsonl, jsonLines(lines));
    expect(await compressFile(other.chatJsonl, {})).toMatchObject({ ok: true });
    expect((await readChat(other)).lines).toEqual(lines);
    expect(await readChat(new SessionFolder(folder.dataFolder, 't3'))).toEqual({ lines: [], badLines: 0 });
  });
});
