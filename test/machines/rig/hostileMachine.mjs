// Replaces `ssh`: another machine whose core answers every call with broken, oversized and forged messages.
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

const { HOSTILE_SEED = '1', HOSTILE_MESSAGES = '2000', HOSTILE_FORGED = '' } = process.env;
let state = Number(HOSTILE_SEED) >>> 0 || 1;
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];
const FORGED = HOSTILE_FORGED.split(',');

const TEXTS = [
  '',
  'x',
  '\u001b[2J\u0007',
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  '\u202e',
  '__proto__',
  'x'.repeat(70_000),
];
const KEYS = [
  'id',
  'terminalId',
  'type',
  'terminals',
  'terminal',
  'rows',
  'row',
  'key',
  'conversationId',
  '__proto__',
  'constructor',
  'data',
];

function anything(depth = 0) {
  switch (random(depth > 4 ? 5 : 8)) {
    case 0:
      return pick(TEXTS);
    case 1:
      return pick([0, -1, 1e308, Number.MAX_SAFE_INTEGER, 3.5]);
    case 2:
      return pick([null, true, false]);
    case 3:
      return pick(FORGED);
    case 4:
      return pick(['all', 'changed', 'removed', 'asked', 'gone', 'row', 'new']);
    case 5:
      return Array.from({ length: random(5) }, () => anything(depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: random(6) }, () => [pick(KEYS), anything(depth + 1)]));
  }
}

const TERMINAL = {
  ...{ id: 'tfar', shell: 'bash', name: null, title: '', cwd: '/', gitBranch: null, cols: 80, rows: 24, createdMs: 1 },
  ...{ state: 'live', exitCode: null, signal: null, quality: { level: 'rich', reason: '', fix: null }, atPrompt: true },
  ...{ runningBlockId: null, keyTaker: null, lastExitCode: null, altScreen: false, recordFault: null, bell: false },
  ...{ notification: null, agent: null, progress: null },
};
const NOTIFICATION = {
  ...{ seq: 1, kind: 'program', terminalId: 'tfar', blockId: null, title: 'T', body: 'B', exitCode: null },
  ...{ durationMs: null, atMs: 1, isRead: false },
};

/** A value of the right shape, but with up to two wrong fields. */
function almost(value) {
  const broken = structuredClone(value);
  for (let at = 0; at <= random(2); at += 1) broken[pick(Object.keys(broken))] = anything();
  return broken;
}

function change(path) {
  if (random(3) === 0) return anything();
  if (path === 'terminal.onChange')
    return pick([
      { type: 'all', terminals: [TERMINAL, almost(TERMINAL), { ...TERMINAL, id: pick(FORGED) }] },
      { type: 'changed', terminal: almost(TERMINAL) },
      { type: 'changed', terminal: { ...TERMINAL, id: pick(FORGED) } },
      { type: 'removed', id: pick(FORGED) },
    ]);
  if (path === 'notification.onChange')
    return pick([
      { type: 'all', notifications: [almost(NOTIFICATION)] },
      { type: 'new', notification: almost(NOTIFICATION) },
      { type: 'new', notification: { ...NOTIFICATION, terminalId: pick(FORGED), seq: random(1e6) } },
    ]);
  return pick([{ type: 'gone', id: pick(FORGED) }, { type: 'removed', conversationId: pick(FORGED) }, anything()]);
}

const sockets = new WebSocketServer({ noServer: true });
const server = createServer();
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.on('message', (text) => {
      for (const { id, method, params } of [JSON.parse(String(text))].flat()) answer(client, { id, method, params });
    });
  }),
);

function answer(client, { id, method, params }) {
  const say = (message) => client.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  if (params?.path === 'system.info')
    return say({ id, result: { type: 'data', data: { version: '1', hostName: 'far', home: '/', platform: 'linux' } } });
  if (params?.path === 'machine.ping') return say({ id, result: { type: 'data', data: null } });
  if (method === 'subscription') {
    say({ id, result: { type: 'started' } });
    for (let at = 0; at < Number(HOSTILE_MESSAGES); at += 1) {
      say({ id, result: { type: 'data', data: change(params.path) } });
      if (random(50) === 0) say(anything() ?? {});
      if (random(50) === 0) say({ id: random(20), result: { type: pick(['data', 'odd']), data: anything() } });
    }
    if (params.path === 'terminal.onChange')
      say({ id, result: { type: 'data', data: { type: 'changed', terminal: { ...TERMINAL, id: 'tlast' } } } });
    return undefined;
  }
  return say(random(4) === 0 ? { id, error: anything() } : { id, result: { type: 'data', data: anything() } });
}

process.stdout.write(
  `a banner\nHANSARD-STDIO ${JSON.stringify({ type: 'ready', protocol: 1, version: '1', token: 'x'.repeat(32) })}\n`,
);
const pipe = Duplex.from({ readable: process.stdin, writable: process.stdout });
pipe.on('error', () => process.exit());
process.stdin.on('end', () => process.exit());
server.emit('connection', pipe);
