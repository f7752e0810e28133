// `npm run bench`: installs and builds if needed, then runs the benchmarks. Arguments after `--`: rows of the table (default: all),
// `--mb N` (size of the log payload in MB, 100), `--runs N` (5), `--no-save` (do not write bench/results.json), `--quick` (two minutes).
import { findBrowser } from './browser.mjs';
import { build, env, install, run, say } from './setup.mjs';

install();
build();
const browser = findBrowser();
if (!browser) say('no Chromium or Chrome found: rows 9, 13 and 21 will be skipped');
const code = run('node', ['test/bench/run.ts', ...process.argv.slice(2)], {
  env: { ...env, HANSARD_TEST_BROWSER: browser ?? '' },
});
process.exit(code);
