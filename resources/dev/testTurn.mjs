// Long suites (`x.long.test.ts`, `x.long.pty.test.ts`, `x.long.e2e.test.ts`) take turns: `npm test` runs all other suites and a 24th of the long ones.
// The commit determines which of the 24 turns runs. Vitest by itself, `npm run test:all` and a run of named files leave out no suite.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const TURNS = 24;

/** Returns HANSARD_TEST_TURN (0 to 23) or the turn of the commit, so that the same commit always runs the same suites. */
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

/** Returns how many turns run, from that of `turnOf` on: HANSARD_TEST_TURNS, or one. */
export function turnCountOf(env) {
  return Math.max(1, Number(env.HANSARD_TEST_TURNS) || 1);
}

/** Returns the paths of all long suites, relative to `root`, and of those (`left`) that do not run in `count` turns from `turn` on. */
export function longSuites(root, turn, count = 1) {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.long\.(?:pty\.|e2e\.)?test\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .sort();
  return { all, left: all.filter((_, at) => (at - turn + TURNS) % TURNS >= count) };
}
