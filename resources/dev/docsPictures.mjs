// `npm run docs:demo`: makes the pictures of README.md and docs/. Our own picture stage draws the animated one from a recording; the others
// are screenshots of the real window in a browser. Arguments after `--` choose some: demo, cards, conversation, search, approval.
import { findBrowser } from './browser.mjs';
import { build, env, fail, install, run } from './setup.mjs';

install();
build();
const browser = findBrowser();
if (!browser) fail('no Chromium or Chrome found: the screenshots need one');
process.exit(
  run('node', ['resources/dev/docs/draw.ts', ...process.argv.slice(2)], {
    env: { ...env, HANSARD_TEST_BROWSER: browser },
  }),
);
