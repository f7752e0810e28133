import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPastTalk } from '../../../src-main/conversations/tracking/readPastTalk.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';

let dataFolder = '';

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'hansard-past-'));
});

afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

/** Writes a terminal's chat.jsonl with prompts and sets its modification time to `at` seconds after the epoch. */
function terminal(at: number, texts: readonly string[], more: object = {}): void {
  const id = `t${String(at).padStart(6, '0')}`;
  const folder = new SessionFolder(dataFolder, id);
  folder.create();
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: 'x', extractorVersion: 1, confidence: 1 };
  const lines = texts.map((text, order) =>
    JSON.stringify({
      ...{ id: `m${order}`, terminalId: id, conversationId: `c${at}`, order, kind: 'user', text, final: true },
      ...{ startedMs: 0, updatedMs: 0, provenance, ...more },
    }),
  );
  writeFileSync(folder.chatJsonl, lines.map((line) => `${line}\n`).join(''));
  utimesSync(folder.chatJsonl, at, at);
}

const wordsOf = async () => (await readPastTalk(dataFolder, 'x')).map(({ words }) => words);

test('the past is the ends of the terminals that were written last, the newest at the end', async () => {
  for (let at = 1; at <= 30; at += 1) terminal(at, [`prompt${at}`]);
  const words = await wordsOf();
  expect(words.length).toBeLessThan(30);
  expect(words.at(-1)).toBe('prompt30');
  expect(words).not.toContain('prompt1');
});

test('of a long terminal the end is read, and of a damaged one what is whole', async () => {
  terminal(
    1,
    Array.from({ length: 2000 }, (_, at) => `prompt${at}`),
  );
  const words = await wordsOf();
  expect(words.at(-1)).toBe('prompt1999');
  expect(words.length).toBeLessThan(1000);
  writeFileSync(new SessionFolder(dataFolder, 't000001').chatJsonl, 'no line\n{}\n');
  expect(await wordsOf()).toEqual([]);
});

test('other agents, and history that was drawn again, are no past', async () => {
  terminal(1, ['mine']);
  terminal(2, ['again'], { replayOf: 'c1' });
  expect(await readPastTalk(dataFolder, 'y')).toEqual([]);
  expect(await wordsOf()).toEqual(['mine']);
});
