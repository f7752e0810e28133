// `npm run soak`: a real core records shells and an agent for an hour. The soak prints the core's memory every minute and fails if it grows.
// Then, if the agents of test/agents are installed, each of four plays one new random script and prints its seed.
// Arguments after `--`: `--minutes N` (60).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, env, install, root, run } from './setup.mjs';

install();
build();
const soaked = run('node', ['test/bench/soak.ts', ...process.argv.slice(2)], { env });
const played = existsSync(join(root, 'test/agents/node_modules'))
  ? run('node', ['test/agents/run.ts', '--random', '1'], { env })
  : 0;
process.exit(soaked || played);
