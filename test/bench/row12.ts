import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restTerminal } from '../../src-main/store/archive/restTerminal.ts';
import { surveyRecord } from '../../src-main/store/record/retention.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';
import { readSessions } from './agentSessions.ts';
import type { BenchOptions, Figure, Row } from './Figure.ts';
import { PAYLOADS, writePayload } from './payloads.ts';

const HOT = 2.1;
const AT_REST = 0.4;
const AGENTS_SHARE = 0.4;

/**
 * Bytes on disk of all files of a terminal whose output went through a real core, before and after archiving.
 * One run, because sizes have no noise. The row also shows the speed of compression.
 */
export const row12: Row = async (options, say) => {
  const figures: Figure[] = [];
  for (const name of PAYLOADS) {
    say(name);
    const { path, bytes } = writePayload(options.folder, name, options.megabytes);
    figures.push(...(await measure(name, path, bytes)));
  }
  say("agents' redraws");
  const { path, bytes } = writeAgents(options);
  return [...figures, ...(await measure("agents' redraws", path, bytes))];
};

function writeAgents({ folder, megabytes }: BenchOptions): { path: string; bytes: number } {
  const round = Buffer.concat(readSessions().map(({ bytes }) => bytes));
  const rounds = Math.ceil((megabytes * 1e6 * AGENTS_SHARE) / round.length);
  const path = join(folder, 'agents.raw');
  writeFileSync(path, Buffer.concat(Array(rounds).fill(round)));
  return { path, bytes: rounds * round.length };
}

async function measure(name: string, path: string, bytes: number): Promise<Figure[]> {
  const test = await TestCore.start();
  try {
    const terminal = await test.open();
    await runCommand(terminal, `cat '${path}'`);
    await test.core.close(terminal.id, true);
    const hot = await diskBytes(test.dataFolder);
    const startMs = performance.now();
    const { failed } = await restTerminal(new SessionFolder(test.dataFolder, terminal.id), {});
    if (failed[0]) throw new Error(`${failed[0].path} was not compressed: ${failed[0].text}`);
    const ms = performance.now() - startMs;
    const rested = await diskBytes(test.dataFolder);
    return [
      figure(`disk, ${name}, hot`, hot, bytes, HOT),
      figure(`disk, ${name}, at rest (${Math.round(hot / 1e3 / ms)} MB/s)`, rested, bytes, AT_REST),
    ];
  } finally {
    await test.dispose();
  }
}

function figure(work: string, value: number, output: number, limit: number): Figure {
  const ratio = value / output;
  return {
    row: 12,
    work,
    value: value / 1e6,
    unit: 'MB',
    runs: 1,
    against: { name: 'the output', value: output / 1e6 },
    ratio,
    target: `≤ ${limit} ×`,
    isMet: ratio <= limit,
  };
}

async function diskBytes(dataFolder: string): Promise<number> {
  const entries = await surveyRecord(dataFolder, new Set());
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
