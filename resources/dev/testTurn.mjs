// Long suites (`x.long.pty.test.ts`, `x.long.e2e.test.ts`) take turns: `npm test` runs a sixth of them beside all others, and every commit has
// one of the six turns. Vitest by itself, `npm run test:all` and a run that names files leave nothing out.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const TURNS = 6;

/** The turn of a run: HANSARD_TEST_TURN (0 to 5), else that of the commit, so that a run is repeated by its commit alone. */
export function turnOf(env, root) {
  if (env.HANSARD_TEST_TURN !== undefined) return Number(env.HANSARD_TEST_TURN) % TURNS;
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16) % TURNS;
  } catch {
    return 0; // a package without git
  }
}

/** Names of all long suites from `root`, and of those that are not run in `turn`. */
export function longSuites(root, turn) {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.long\.(pty|e2e)\.test\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .sort();
  return { all, left: all.filter((_, at) => at % TURNS !== turn) };
}
