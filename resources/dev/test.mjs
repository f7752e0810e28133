// `npm test`: installs and builds if needed, then runs type checks, lint and the suites. It runs a 24th of the long suites (testTurn.mjs).
// `npm run test:all` runs every suite. Arguments after `--` go to vitest; the checks are then skipped, and no long suite is left out if they name files.
// The last lines list the slowest files and say `N passed, N failed`. Skipped tests are counted separately in the line above.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build, env, fail, install, root, say } from './setup.mjs';
import { timesOf } from './testTimes.mjs';
import { longSuites, TURNS, turnCountOf, turnOf } from './testTurn.mjs';

install();
build();
const browser = findBrowser();
say(browser ? `browser for the tests: ${browser}` : 'no Chromium or Chrome found: the browser suites will say skipped');

const isAll = process.argv[2] === '--all';
const only = process.argv.slice(isAll ? 3 : 2);
// What follows an option may be its value (`--project unit`), unless it is a path.
const isOption = (argument) => argument?.startsWith('-') === true;
const namesFiles = only.some((own, at) => own.startsWith('test/') || !(isOption(own) || isOption(only[at - 1])));
const turn = isAll || namesFiles ? undefined : turnOf(env, root);
if (turn !== undefined) {
  const count = turnCountOf(env);
  const { all, left } = longSuites(root, turn, count);
  say(
    `long suites: ${count === 1 ? `turn ${turn}` : `${count} turns from ${turn} on`} of 0 to ${TURNS - 1}, ${all.length - left.length} of ${all.length}; npm run test:all runs all`,
  );
}
const checks = [
  ['types', 'svelte-check', ['--tsgo', '--threshold', 'error', '--output', 'human']],
  ['lint and format', 'biome', ['ci', '--reporter=summary', '.']],
];
/** If more files fail, they are not flakes and do not run again. */
const MAX_FILES_AGAIN = 8;
let passed = 0;
let failed = 0;
// The checks run in parallel with the unit suites, which depend on no real time. The output of a check is printed when the check ends.
const checked = Promise.all((only.length > 0 ? [] : checks).map(check));
const first = await runSuites(only);
await checked;
const again = filesThatFailed(first);
// A busy machine may miss a deadline; a real fault fails twice. Flakes are printed, because a flake is a fault of the test.
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
// A suite that breaks before its first test or after its last one has no failed test to count.
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

/** Runs a tool of the project. Resolves to its exit code and the output that was piped. */
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

/** Runs the suites in `args`, or all. Resolves to vitest's exit code, its report of each file, and the tests that passed only on a retry. */
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
