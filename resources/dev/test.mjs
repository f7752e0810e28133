// `npm test`: sets up what is missing, then checks types and lint beside the suites; of the long ones a sixth, see testTurn.mjs.
// `npm run test:all` leaves no suite out. Arguments after `--` go to vitest, and skip the checks and the turns.
// Closes with where the time went and a line `N passed, N failed`; skipped tests are named above it and counted as neither.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build, env, fail, install, root, say } from './setup.mjs';
import { timesOf } from './testTimes.mjs';
import { longSuites, TURNS, turnOf } from './testTurn.mjs';

install();
build();
const browser = findBrowser();
say(browser ? `browser for the tests: ${browser}` : 'no Chromium or Chrome found: the browser suites will say skipped');

const isAll = process.argv[2] === '--all';
const only = process.argv.slice(isAll ? 3 : 2);
const turn = isAll || only.length > 0 ? undefined : turnOf(env, root);
if (turn !== undefined) {
  const { all, left } = longSuites(root, turn);
  say(
    `long suites: turn ${turn} of 0 to ${TURNS - 1}, ${all.length - left.length} of ${all.length}; npm run test:all runs all`,
  );
}
const checks = [
  ['types', 'tsc', ['-p', '.']],
  ['types of components', 'svelte-check', ['--threshold', 'error', '--output', 'human']],
  ['lint and format', 'biome', ['ci', '--reporter=summary', '.']],
];
/** More files than these are no flakes. */
const MAX_FILES_AGAIN = 8;
let passed = 0;
let failed = 0;
// Beside the suites of the first project, which wait for no clock: what a check prints comes in one piece when it is done.
const checked = Promise.all((only.length > 0 ? [] : checks).map(check));
const first = await runSuites(only);
await checked;
const again = filesThatFailed(first);
// A busy machine may miss a deadline; a fault fails twice. What only the second run let pass is named: a flake is a fault of the test.
const second = again.length > 0 && again.length <= MAX_FILES_AGAIN ? await runSuites(again) : undefined;
const settled = second ? [...first.files.filter(({ name }) => !again.includes(name)), ...second.files] : first.files;
const told = settled.flatMap(({ assertionResults }) => assertionResults);
const count = (...statuses) => told.filter(({ status }) => statuses.includes(status)).length;
if (second)
  for (const name of again.filter((name) => !filesThatFailed(second).includes(name)))
    say(`flake, passed when run again alone: ${name}`);
for (const name of [first, second].flatMap((run) => run?.flakes ?? [])) say(`flake, passed by a retry: ${name}`);
for (const line of timesOf(first.files, root)) say(line);
const skipped = count('pending', 'skipped', 'todo');
if (skipped > 0) say(`${skipped} skipped`);
passed += count('passed');
failed += count('failed');
// a suite that breaks before its first test, or after its last, has no failed test to count
const brokeOtherwise = (second ?? first).code !== 0 && count('failed') === 0;
if (brokeOtherwise) failed++;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

async function check([name, command, args]) {
  const { code, printed } = await finished(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  process.stdout.write(printed);
  say(`${name}: ${code === 0 ? 'passed' : 'FAILED'}`);
  if (code === 0) passed++;
  else failed++;
}

/** Runs a tool of the project: its exit code, and what it printed where that was piped. */
function finished(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, ...options });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    child.on('error', (error) => fail(`could not run ${command}: ${error.message}`));
    child.on('close', (code) => resolve({ code: code ?? 1, printed }));
  });
}

/** Every suite, or those that the arguments name: vitest's exit code, its report of each file, and the tests that a retry let pass. */
async function runSuites(args) {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-test-'));
  const report = join(folder, 'report.json');
  const flakes = join(folder, 'flakes.json');
  const reporters = ['default', 'json', './resources/dev/flakeReporter.mjs'].map((name) => `--reporter=${name}`);
  const { code } = await finished('vitest', ['run', ...reporters, `--outputFile.json=${report}`, ...args], {
    env: {
      ...env,
      HANSARD_TEST_BROWSER: browser ?? '',
      HANSARD_TEST_FLAKES: flakes,
      ...(turn !== undefined && { HANSARD_TEST_TURN: String(turn) }),
    },
    stdio: 'inherit',
  });
  try {
    const files = JSON.parse(readFileSync(report, 'utf8')).testResults;
    return { code, files, flakes: JSON.parse(readFileSync(flakes, 'utf8')) };
  } catch (error) {
    say(`no test report: ${error.message}`);
    return { code: code || 1, files: [], flakes: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesThatFailed({ files }) {
  return files.filter(({ status }) => status === 'failed').map(({ name }) => name);
}
