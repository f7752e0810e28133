import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TerminalEvent } from '../../src-main/contract/event.ts';
import type { ShellAliasTable } from '../../src-main/contract/mcp/aliasWords.ts';
import type { ShellNames } from '../../src-main/contract/shellNames.ts';
import { SavedReports, ShellReports } from '../../src-main/terminal/ShellReports.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

type Prompt = Extract<TerminalEvent, { type: 'prompt' }>;
const NONCE = 'the-nonce-of-a-shell';

const set = fc.array(fc.string({ unit: 'binary' })).map((names) => new Set(names));
const aliases = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string())).map((pairs) => new Map(pairs));
const words: fc.Arbitrary<ShellAliasTable> = fc.record({
  aliases,
  globals: set,
  suffixes: set,
  functions: set,
  checked: set,
});
const names: fc.Arbitrary<ShellNames> = fc.record({ pid: fc.nat(), path: fc.string(), known: set, suffixes: set });

const promptOf = (reports: Pick<Prompt, 'words' | 'names'>) => reports as Prompt;

/** The reports of a core that has seen these prompts, and what it saved last. */
function seen(prompts: readonly Prompt[]): { reports: ShellReports; saved: string } {
  let saved = 'null';
  const reports = new ShellReports((json) => {
    saved = json;
  });
  reports.began(NONCE, null);
  for (const prompt of prompts) reports.prompted(prompt);
  return { reports, saved };
}

const next = (nonce: string, saved: string) => {
  const reports = new ShellReports(() => undefined);
  reports.began(nonce, { reports: saved === 'null' ? null : SavedReports.parse(JSON.parse(saved)) });
  return reports;
};

test('the next core knows the reports to which the prompts of the same shell refer, and of no other', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.option(words), fc.option(names)), { minLength: 1, maxLength: 4 }), (told) => {
      let [wordsId, namesId] = [0, 0];
      const prompts = told.map(([newWords, newNames]) => {
        if (newWords) wordsId += 1;
        if (newNames) namesId += 1;
        return promptOf({
          words: { id: `7.${wordsId}`, ...(newWords && { words: newWords }) },
          names: { id: `7.${namesId}`, ...(newNames && { names: newNames }) },
        });
      });
      const { reports, saved } = seen(prompts);
      const last = promptOf({ words: { id: `7.${wordsId}` }, names: { id: `7.${namesId}` } });
      const same = next(NONCE, saved);
      const other = next('another-nonce', saved);
      expect([same.words.now, same.names.now]).toEqual([null, null]); // until a prompt refers to them
      for (const one of [same, other]) one.prompted(last);
      expect(same.words.now).toEqual(reports.words.now);
      expect(same.names.now).toEqual(reports.names.now);
      expect([other.words.now, other.names.now]).toEqual([null, null]);
    }),
    fuzzRuns(200),
  );
});

test('a shell that a client changed stays changed for the next core, and its next shell is not', () => {
  const { reports, saved: unchanged } = seen([promptOf({ words: { id: '7.1', words: null } })]);
  expect(next(NONCE, unchanged).isChangedByClient).toBe(false);
  const kept: string[] = [];
  const changed = new ShellReports((json) => kept.push(json));
  changed.began(NONCE, { reports: SavedReports.parse(JSON.parse(unchanged)) });
  changed.changedByClient();
  expect(next(NONCE, kept.at(-1) ?? '').isChangedByClient).toBe(true);
  changed.began('another-nonce', null);
  expect(changed.isChangedByClient).toBe(false);
  expect(reports.isChangedByClient).toBe(false);
});

test('a shell that outlived its core may have been changed by a client if nothing was saved of it', () => {
  const { saved } = seen([promptOf({ words: { id: '7.1', words: null } })]);
  expect(next(NONCE, 'null').isChangedByClient).toBe(true);
  expect(next('another-nonce', saved).isChangedByClient).toBe(true);
});
