// `npm test`: set up what is missing, then types, lint, and every suite. Arguments after `--` go to vitest and skip the checks before it.
// Closes with a line `N passed, N failed`; what was skipped is said above it and counted as neither.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build, env, install, run, say } from './setup.mjs';

install();
build();
const browser = findBrowser();
say(browser ? `browser for the tests: ${browser}` : 'no Chromium or Chrome found: the browser suites will say skipped');

const only = process.argv.slice(2);
const checks = [
  ['types', 'tsc', ['-p', '.']],
  ['types of components', 'svelte-check', ['--threshold', 'error', '--output', 'human']],
  ['lint and format', 'biome', ['ci', '--reporter=summary', '.']],
];
/** More files than these are no flakes. */
const MAX_FILES_AGAIN = 8;
let passed = 0;
let failed = 0;
for (const [name, command, args] of only.length > 0 ? [] : checks) {
  const code = run(command, args);
  say(`${name}: ${code === 0 ? 'passed' : 'FAILED'}`);
  if (code === 0) passed++;
  else failed++;
}

const first = runSuites(only);
const again = filesThatFailed(first);
// A busy machine may miss a deadline; a fault fails twice. What only the second run let pass is named: a flake is a fault of the test.
const second = again.length > 0 && again.length <= MAX_FILES_AGAIN ? runSuites(again) : undefined;
const settled = second ? [...first.files.filter(({ name }) => !again.includes(name)), ...second.files] : first.files;
const told = settled.flatMap(({ assertionResults }) => assertionResults);
const count = (...statuses) => told.filter(({ status }) => statuses.includes(status)).length;
if (second)
  for (const name of again.filter((name) => !filesThatFailed(second).includes(name)))
    say(`flake, passed when run again alone: ${name}`);
for (const name of [first, second].flatMap((run) => run?.flakes ?? [])) say(`flake, passed by a retry: ${name}`);
const skipped = count('pending', 'skipped', 'todo');
if (skipped > 0) say(`${skipped} skipped`);
passed += count('passed');
failed += count('failed');
// a suite that breaks before its first test, or after its last, has no failed test to count
const brokeOtherwise = (second ?? first).code !== 0 && count('failed') === 0;
if (brokeOtherwise) failed++;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

/** Every suite, or those that the arguments name: vitest's exit code, its report of each file, and the tests that a retry let pass. */
function runSuites(args) {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-test-'));
  const report = join(folder, 'report.json');
  const flakes = join(folder, 'flakes.json');
  const reporters = ['default', 'json', './resources/dev/flakeReporter.mjs'].map((name) => `--reporter=${name}`);
  const code = run('vitest', ['run', ...reporters, `--outputFile.json=${report}`, ...args], {
    env: { ...env, HANSARD_TEST_BROWSER: browser ?? '', HANSARD_TEST_FLAKES: flakes },
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
