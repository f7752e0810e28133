// `npm run bench`: set up what is missing, then measure. Arguments after `--` are rows of the table (all when there are none) and
// `--mb N` (size of the log payload, 100), `--runs N` (5), `--no-save` (leaves bench/results.json as it is), `--quick` (two minutes).
import { findBrowser } from './browser.mjs';
import { build, env, install, run, say } from './setup.mjs';

install();
build();
const browser = findBrowser();
if (!browser) say('no Chromium or Chrome found: row 9 will be skipped');
const code = run('node', ['test/bench/run.ts', ...process.argv.slice(2)], {
  env: { ...env, HANSARD_TEST_BROWSER: browser ?? '' },
});
process.exit(code);
