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
let passed = 0;
let failed = 0;
for (const [name, command, args] of only.length > 0 ? [] : checks) {
  const code = run(command, args);
  say(`${name}: ${code === 0 ? 'passed' : 'FAILED'}`);
  if (code === 0) passed++;
  else failed++;
}

const folder = mkdtempSync(join(tmpdir(), 'hansard-test-'));
const report = join(folder, 'report.json');
const code = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only], {
  env: { ...env, HANSARD_TEST_BROWSER: browser ?? '' },
});
const result = readReport(report);
rmSync(folder, { recursive: true, force: true });
if (result.skipped > 0) say(`${result.skipped} skipped`);
passed += result.passed;
failed += result.failed;
// a suite that breaks before its first test has no failed test to count
if (code !== 0 && result.failed === 0) failed++;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch (error) {
    say(`no test report: ${error.message}`);
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
