#!/usr/bin/env node
// The command line's door: finds a Node that can run the core (>= 22.15) and hands over. Plain JavaScript that any Node runs.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
// A client waits for its bridge: that is a bundle of its own. Both hand on what is not for them.
const cli = `${root}out/main/${process.argv[2] === 'mcp' ? 'mcpBridge' : 'quick'}.js`;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// An agent waits for its hooks: nothing else is loaded for them, and any Node will do.
quietWarnings();
if (process.argv[2] === 'hook') await import('../agent-hooks/hook.mjs');
else if (!existsSync(cli)) refuse(`not built yet. Run \`npm start\` once in ${root}`);
else if (major > 22 || (major === 22 && minor >= 15)) await import(pathToFileURL(cli).href);
else await runWithOwnNode();

/** Node 22 would call its SQLite experimental at every start. All other warnings are printed as ever. */
function quietWarnings() {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener.call(process, warning);
  });
}

async function runWithOwnNode() {
  const node = `${root}node_modules/.bin/node`;
  if (!existsSync(node))
    refuse(`needs Node 22.15 or newer, this is ${process.versions.node}. Run \`npm ci\` in ${root}`);
  // Only here: to load it costs a tenth of what an empty Node does.
  const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
  const child = spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The child decides when it ends: it has a record to finish. Ending before it would leave it without a terminal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

function refuse(reason) {
  process.stderr.write(`hansard: ${reason}\n`);
  process.exit(69);
}
