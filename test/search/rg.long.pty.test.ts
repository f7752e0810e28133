import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import { SearchQuery } from '../../src-main/contract/search.ts';
import { compressFile } from '../../src-main/store/archive/compressFile.ts';
import { streamOut } from '../../src-main/store/record/readRecord.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { begin, runCommand, TestCore, until } from '../support/TestCore.ts';
import { gather } from './find.ts';

/** Compares with ripgrep on long outputs, whose middle is not in the index: an open block, an ended one, and one of an archived terminal. */
const hasRg = (() => {
  try {
    execFileSync('rg', ['--version']);
    return true;
  } catch {
    return false; // not installed here
  }
})();
const seed = fuzzSeed();
const LINES = 60_000;
const WORDS = ['tide', 'kelp', 'harbour', 'über', '日本語', 'naïve'];
const run = promisify(execFile);

let started: TestCore;
let texts = '';
const blocks: Block[] = [];

/** Lines with rare words at random places by the seed, most of them far from both ends. */
function textOf(at: number): string {
  const rare = fc.sample(fc.tuple(fc.nat(LINES - 1), fc.constantFrom(...WORDS), fc.nat(999)), {
    seed: seed + at,
    numRuns: 12,
  });
  const lines = Array.from({ length: LINES }, (_, n) => `${n} compiled file-${(n * 7919) % 4001}.o without a warning`);
  for (const [n, word, tag] of rare) lines[n] = `at ${n}: rare-${tag} ${word} of file ${at}`;
  return `${lines.join('\n')}\n`;
}

const refOf = ({ terminalId, id }: { terminalId: string; id: string }): string => `${terminalId}.${id}`;

async function textFile(block: Block): Promise<void> {
  const pieces: Uint8Array[] = [];
  for await (const piece of streamOut(new SessionFolder(started.dataFolder, block.terminalId), block.id))
    pieces.push(piece);
  writeFileSync(join(texts, refOf(block)), Buffer.concat(pieces));
}

beforeAll(async () => {
  if (!hasRg) return;
  texts = mkdtempSync(join(tmpdir(), 'hansard-rg-'));
  started = await TestCore.start();
  for (const at of [0, 1, 2]) started.write(`text-${at}`, textOf(at));
  const archived = await started.open();
  blocks.push(await runCommand(archived, `cat ${started.home}/text-0`));
  await started.core.close(archived.id, true);
  await compressFile(new SessionFolder(started.dataFolder, archived.id).out(blocks[0]?.id ?? ''), {});
  const live = await started.open();
  blocks.push(await runCommand(live, `cat ${started.home}/text-1`));
  await begin(live, `cat ${started.home}/text-2; printf 'the last word\\n'; read -r`);
  await until(live, ({ view }) => view.runningBlockId !== null);
  const running = await live.book.get(live.book.runningId ?? '');
  if (!running) throw new Error('nothing runs');
  blocks.push(running);
  await vi.waitFor(async () => {
    await textFile(running);
    expect((await run('rg', ['-c', 'the last word', join(texts, refOf(running))])).stdout.trim()).toBe('1');
  }, 30_000);
  for (const block of blocks) await textFile(block);
}, 120_000);

afterAll(async () => {
  await started?.dispose();
  if (texts !== '') rmSync(texts, { recursive: true, force: true });
});

/** Line numbers from 0 of each file with a match. */
async function ripgrep(query: string, isRegex: boolean): Promise<Map<string, number[]>> {
  const args = ['--ignore-case', '--line-number', '--no-heading', '--with-filename', '--text'];
  const found = await run('rg', [...args, ...(isRegex ? [] : ['--fixed-strings']), '-e', query, '.'], {
    cwd: texts,
    maxBuffer: 2 ** 28,
  }).catch((error: { code?: number; stdout: string }) => {
    if (error.code === 1) return { stdout: '' }; // no match
    throw error;
  });
  const lines = new Map<string, number[]>();
  for (const line of found.stdout.split('\n').filter(Boolean)) {
    const [path = '', n] = line.split(':', 2);
    const ref = path.replace(/^\.\//, '');
    lines.set(ref, [...(lines.get(ref) ?? []), Number(n) - 1]);
  }
  return lines;
}

const queries = fc.oneof(
  fc.tuple(fc.constantFrom(...WORDS), fc.constant(false)),
  fc.tuple(
    fc.nat(999).map((tag) => `rare-${tag} `),
    fc.constant(false),
  ),
  fc.tuple(
    fc.nat(LINES - 1).map((n) => `${n} compiled file-`),
    fc.constant(false),
  ),
  fc.tuple(
    fc.constantFrom(...WORDS).map((word) => `^at \\d+: rare-\\d*[05] ${word}`),
    fc.constant(true),
  ),
  fc.tuple(
    fc.nat(599).map((n) => `^${n}\\d0 .*-(?:1|2)\\d\\d\\.o`),
    fc.constant(true),
  ),
  fc.tuple(fc.constantFrom('the last word', 'not anywhere', 'of file 1'), fc.constant(false)),
);

test.skipIf(!hasRg)(
  'every line that ripgrep finds is found, and no other',
  async () => {
    for (const [query, isRegex] of fc.sample(queries, { seed, numRuns: 24 })) {
      const expected = await ripgrep(query, isRegex);
      const where = `${query} (seed ${seed})`;
      const mode = isRegex ? ('regex' as const) : ('exact' as const);
      const { hits, end } = await gather(
        started.core.search.find(SearchQuery.parse({ query, mode, in: ['output'], limit: 500, flags: 'i' })),
      );
      const named = end.notSearched.map(refOf);
      const found = hits.map(refOf);
      expect([...new Set([...found, ...named.filter((ref) => expected.has(ref))])].sort(), where).toEqual(
        [...expected.keys()].sort(),
      );
      for (const hit of hits)
        expect(
          hit.lines.map(({ n }) => n),
          where,
        ).toEqual(expected.get(refOf(hit))?.slice(0, 3));
      for (const { terminalId, id: blockId } of blocks.slice(1)) {
        const { search } = started.core.terminal(terminalId).book;
        const { hits: lines, error } = await search.find({ query, regex: isRegex, limit: 100_000, blockId });
        const own = expected.get(refOf({ terminalId, id: blockId })) ?? [];
        expect([error, [...new Set(lines.map(({ n }) => n))]], where).toEqual([null, own]);
      }
    }
  },
  180_000,
);
