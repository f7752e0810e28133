// `npm run soak`: a real core records shells and an agent for an hour; prints its memory each minute and fails when that grows.
// Arguments after `--`: `--minutes N` (60).
import { build, env, install, run } from './setup.mjs';

install();
build();
process.exit(run('node', ['test/bench/soak.ts', ...process.argv.slice(2)], { env }));
