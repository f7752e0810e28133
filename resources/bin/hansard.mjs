#!/usr/bin/env node
// The command line's door: finds a Node that can run the core (>= 22.13) and hands over. Plain JavaScript that any Node runs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = `${root}out/main/cli.js`;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (!existsSync(cli)) {
  process.stderr.write('hansard: not built yet. Run `npm start` once in its folder.\n');
  process.exit(69);
}
if (major > 22 || (major === 22 && minor >= 13)) {
  await import(cli);
} else {
  const node = `${root}node_modules/.bin/node`;
  if (!existsSync(node)) {
    process.stderr.write(
      `hansard: needs Node 22.13 or newer, this is ${process.versions.node}. Run \`npm ci\` in its folder.\n`,
    );
    process.exit(69);
  }
  const run = spawnSync(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(run.status ?? 70);
}
