// `npm run test:soak`: repeats the property tests with random seeds and more runs than `npm test` until the time is over.
// Arguments after `--`: `--minutes N` (60), `--scale N` (4, factor for the number of runs), `--seed N` (the first seed), then
// names of test files (default: every file that uses a seed).
// Each failure is printed with its seed and a command that repeats it. A soak of all files for at least 10 minutes spends a tenth of its time
// on mutations of the pure stages (testMutation.mjs). It prints surviving mutations and does not count them as failures.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './browser.mjs';
import { build, env, fail, install, root, run, say } from './setup.mjs';

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    scale: { type: 'string', default: '4' },
    seed: { type: 'string' },
  },
  allowPositionals: true,
});
const minutes = wholeNumber('minutes');
const scale = wholeNumber('scale');
const firstSeed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('seed');

/** A shorter soak has too little time for a useful sample of mutations. */
const MUTATED_FROM_MINUTES = 10;

install();
build();
const files = positionals.length > 0 ? positionals : lawFiles();
const mutationMinutes = positionals.length === 0 && minutes >= MUTATED_FROM_MINUTES ? minutes / 10 : 0;
const endMs = Date.now() + (minutes - mutationMinutes) * 60_000;
const browser = findBrowser() ?? '';
let passed = 0;
let failed = 0;
say(`${files.length} files of laws, ${scale} times their runs, for ${minutes} minutes, from seed ${firstSeed}`);
for (let round = 0; Date.now() < endMs; round += 1) {
  const seed = firstSeed + round;
  for (const file of shuffled(files, seed)) {
    const leftMs = endMs - Date.now();
    if (leftMs <= 0) break;
    const status = runFile(file, seed, leftMs);
    if (status === null) continue; // the time was over
    if (status === 0) passed += 1;
    else {
      failed += 1;
      say(`FAILED with seed ${seed}: ${file}`);
      say(`  again: HANSARD_TEST_SCALE=${scale} HANSARD_TEST_SEED=${seed} npx vitest run ${file}`);
    }
  }
}
if (mutationMinutes > 0)
  run('node', ['resources/dev/testMutation.mjs', '--minutes', String(mutationMinutes), '--seed', String(firstSeed)]);
say(`soak from seed ${firstSeed}: ${passed} runs of files held, ${failed} did not`);
process.exit(failed > 0 ? 1 : 0);

/** Returns the exit code of vitest, or null if the soak's time was over first. */
function runFile(file, seed, leftMs) {
  const { status, error, stdout, stderr } = spawnSync('vitest', ['run', '--retry=0', '--reporter=dot', file], {
    cwd: root,
    env: { ...env, HANSARD_TEST_SCALE: String(scale), HANSARD_TEST_SEED: String(seed), HANSARD_TEST_BROWSER: browser },
    encoding: 'utf8',
    timeout: leftMs,
    maxBuffer: 2 ** 28,
  });
  if (error?.code === 'ETIMEDOUT') return null; // vitest exits with its own code when it is stopped
  if (status !== null && status !== 0) process.stdout.write(`${stdout}${stderr}`);
  return status;
}

/** Test files whose number of runs the soak can scale. */
function lawFiles() {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !/node_modules|fixtures/.test(name))
    .map((name) => join('test', name))
    .filter((file) => /\bfuzz(Runs|Seed)\b|\btimesOf\b|\bIS_SOAK\b/.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}

/** Changes the order every round, so that repeated short soaks reach every file. */
function shuffled(list, seed) {
  const keyed = list.map((file, at) => ({ file, key: Math.imul(seed + at * 7919, 0x9e3779b1) >>> 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ file }) => file);
}

function wholeNumber(name) {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) fail(`--${name} ${values[name]}: give a whole number from 1`, 64);
  return number;
}
