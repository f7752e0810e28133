import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOptions, Figure, Row } from './Figure.ts';
import { formatTable } from './formatTable.ts';
import { mergeFigures, type OldResults } from './mergeFigures.ts';
import { row1 } from './row1.ts';
import { row2 } from './row2.ts';
import { row2b } from './row2b.ts';
import { row3 } from './row3.ts';
import { row4 } from './row4.ts';
import { row6 } from './row6.ts';
import { row7 } from './row7.ts';
import { row8 } from './row8.ts';
import { row9 } from './row9.ts';
import { row10 } from './row10.ts';
import { row11 } from './row11.ts';
import { row12 } from './row12.ts';
import { row13 } from './row13.ts';
import { row14 } from './row14.ts';
import { row15 } from './row15.ts';
import { row16 } from './row16.ts';
import { row17 } from './row17.ts';
import { row21 } from './row21.ts';
import { row22 } from './row22.ts';
import { row23 } from './row23.ts';
import { row24 } from './row24.ts';

const ROWS: Readonly<Record<string, Row>> = {
  '1': row1,
  '2': row2,
  '2b': row2b,
  '3': row3,
  '4': row4,
  '6': row6,
  '7': row7,
  '8': row8,
  '9': row9,
  '10': row10,
  '11': row11,
  '12': row12,
  '13': row13,
  '14': row14,
  '15': row15,
  '16': row16,
  '17': row17,
  '21': row21,
  '22': row22,
  '23': row23,
  '24': row24,
};
/** Rows that two processor cores measure in two minutes. */
const QUICK = { rows: ['1', '2b', '12', '15', '16'], mb: '10', runs: '3' };
const RESULTS = join(import.meta.dirname, '../../bench/results.json');

const USAGE = `npm run bench -- [row …] [--mb 100] [--runs 5] [--no-save] [--quick]
measures, prints the table and puts its rows into bench/results.json; rows: ${Object.keys(ROWS).join(', ')};
--quick: some of them on little data, for a first look, and nothing is saved\n`;

const { values, positionals } = readArguments();
const wanted = positionals.length > 0 ? positionals : values.quick ? QUICK.rows : Object.keys(ROWS);
const unknown = wanted.filter((row) => !ROWS[row]);
if (unknown.length > 0) refuse(`no row ${unknown.join(', ')}`);
const options: BenchOptions = {
  megabytes: countOf('mb', values.mb ?? (values.quick ? QUICK.mb : '100')),
  runs: countOf('runs', values.runs ?? (values.quick ? QUICK.runs : '5')),
  browser: process.env.HANSARD_TEST_BROWSER ?? '',
  folder: mkdtempSync(join(tmpdir(), 'hansard-bench-')),
};
const startedMs = Date.now();
const figures: Figure[] = [];
const failures: string[] = [];
try {
  for (const row of wanted) await measure(row);
} finally {
  rmSync(options.folder, { recursive: true, force: true });
}
process.stdout.write(`\n${formatTable(figures)}`);
if (!values['no-save'] && !values.quick) writeFileSync(RESULTS, `${JSON.stringify(results(), null, 2)}\n`);
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exit(failures.length > 0 ? 1 : 0);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        mb: { type: 'string' },
        runs: { type: 'string' },
        quick: { type: 'boolean', default: false },
        'no-save': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function countOf(name: string, value: string): number {
  return /^[1-9]\d*$/.test(value) ? Number(value) : refuse(`--${name} is a whole number above 0, not ${value}`);
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n${USAGE}`);
  process.exit(64);
}

/** Measures one row; a failure does not stop the others. */
async function measure(row: string): Promise<void> {
  try {
    figures.push(...((await ROWS[row]?.(options, (text) => say(row, text))) ?? []));
  } catch (error) {
    failures.push(`row ${row} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

function say(row: string, text: string): void {
  process.stderr.write(`row ${row}: ${text}\n`);
}

/** `startedMs` to `megabytes` describe the last run; each figure has its own date. */
function results(): object {
  const old = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as OldResults) : null;
  return {
    version: 2,
    startedMs,
    tookMs: Date.now() - startedMs,
    machine: {
      cpu: cpus()[0]?.model ?? '',
      cores: availableParallelism(),
      load: loadavg()[0],
      node: process.version,
      system: `${process.platform} ${process.arch}`,
    },
    megabytes: options.megabytes,
    figures: mergeFigures(old, { startedMs, figures }),
  };
}
