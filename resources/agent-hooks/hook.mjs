// What an agent runs at each event: `node hook.mjs <agent> <event>`, the event as JSON on stdin. Hands it to the core's socket and
// ends with 0 soon, whether a core runs or not. Prints nothing: an agent reads what its hooks print. Plain JavaScript, and no
// package: it starts for every event.
import { createConnection } from 'node:net';

/** The agent waits for us. */
const MOST_MS = 1000;
/** What the core takes; of a larger event it is told only that it happened. */
const MAX_BYTES = 4 * 1024 * 1024;

const { HANSARD_HOOK_SOCKET: path, HANSARD_HOOK_KEY: key, HANSARD_TERMINAL: terminal } = process.env;
const at = process.argv.findIndex((word) => word === 'hook' || word.endsWith('hook.mjs'));
const [agent = '', event = ''] = process.argv.slice(at + 1);

const end = () => process.exit(0);
process.on('uncaughtException', end);
setTimeout(end, MOST_MS);
if (path && key && terminal) hand(await readInput());
else end();

async function readInput() {
  const pieces = [];
  let bytes = 0;
  for await (const piece of process.stdin) {
    bytes += piece.length;
    if (bytes <= MAX_BYTES) pieces.push(piece);
  }
  return bytes <= MAX_BYTES ? Buffer.concat(pieces) : Buffer.from('{}');
}

function hand(payload) {
  const head = JSON.stringify({ version: 1, terminal, key, agent, event });
  const socket = createConnection(path);
  socket.on('error', end);
  socket.on('close', end);
  socket.resume();
  socket.end(Buffer.concat([Buffer.from(`${head}\n`), payload]));
}
