// Replaces `ssh`: a real core whose open terminal attacks the window that follows it. The file FAR_ATTACK names the attack; it may change at any time.
// Attacks send as much as the line takes.
import { readFileSync } from 'node:fs';
import { relay } from './relay.mjs';

const { FAR_CLI = '', FAR_ATTACK = '' } = process.env;
const LOOK_MS = 100;
/** Bytes on the way: the line takes more when it is below. */
const FULL_BYTES = 4 * 1024 * 1024;
const NAME = '<img src=x onerror=alert(1)>\u202egnp.exe';

let count = 0;
let offset = 0;
const next = () => {
  count += 1;
  return count;
};
const block = (terminalId, change = {}) => ({
  ...{ id: `f${next()}`, terminalId, seq: 1_000 + count, kind: 'command', status: 'completed', cmd: `forged ${count}` },
  ...{ textSource: 'hook', cwd: '/', actor: 'user', startedMs: 1, endedMs: 2, durationMs: 1, exitCode: 0 },
  ...{ endedBy: 'mark', trusted: true, outputBytes: 0, outputLines: 0, usedAltScreen: false, addressed: false },
  ...{ rawStart: 0, rawEnd: 0, ephemeral: false, bookmarked: false, ...change },
});
const message = (terminalId, change = {}) => ({
  ...{ id: `m${next()}`, terminalId, conversationId: 'c1', order: count, kind: 'model', text: `said ${count}` },
  ...{ final: true, startedMs: 1, updatedMs: 1, actor: 'user', origins: ['screen'] },
  provenance: { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'x', extractorVersion: 1, confidence: 1 },
  ...change,
});
const conversation = (terminalId, change = {}) => ({
  ...{ id: `c${next()}`, terminalId, agent: 'x', label: NAME, title: `${NAME} ${count}`, cwd: '/', blockId: null },
  ...{ parentId: null, resumeId: null, startedMs: count, updatedMs: 1, endedMs: null, messages: 1, verified: 0 },
  ...{ verifiable: 0, state: 'working', evidence: null, ...change },
});
const closed = (change) => (id) => ({ type: 'close', block: block(id, change) });
const bytes = (length) => () => {
  offset += length;
  return { type: 'bytes', offset: offset - length, data: Buffer.alloc(length, 'line of text\r\n').toString('base64') };
};
const state = (data, change = {}) => ({
  ...{ type: 'state', offset: next(), cols: 80, rows: 24, data, runningBlockId: null, beginLine: null },
  ...{ promptLine: null, ...change },
});

/** What each attack sends, on which path; `once`: a single value. */
const FLOODS = {
  blocks: ['block.onChange', closed({})],
  largeBlocks: ['block.onChange', closed({ cmd: 'x'.repeat(900_000) })],
  counters: ['block.onChange', () => ({ type: 'output', blockId: `f${next()}`, outputBytes: 1, outputLines: 1 })],
  dividers: [
    'block.onChange',
    () => ({ type: 'divider', divider: { kind: 'gap', afterSeq: 0, atMs: next(), text: '' } }),
  ],
  bytes: ['terminal.stream', bytes(64 * 1024)],
  drops: ['terminal.stream', bytes(1)],
  states: ['terminal.stream', () => state('\u001b[31mline of text\r\n'.repeat(50_000))],
  sizes: ['terminal.stream', () => ({ type: 'resize', cols: 20 + (next() % 200), rows: 24 })],
  marks: ['terminal.stream', () => ({ type: 'mark', offset, kind: 'prompt', blockId: null })],
  messages: ['chat.onChange', (id) => ({ type: 'message', message: message(id) })],
  largeMessages: [
    'chat.onChange',
    (id) => ({ type: 'message', message: message(id, { text: 'word '.repeat(100_000) }) }),
  ],
  conversations: ['chat.onChange', (id) => ({ type: 'conversation', conversation: conversation(id) })],
  nothing: [null, () => null],
};
const ONCE = {
  giantBytes: ['terminal.stream', bytes(40 * 1024 * 1024)],
  giantState: ['terminal.stream', () => state('line of text\r\n'.repeat(1_000_000))],
  giantBlock: ['block.onChange', closed({ cmd: 'word '.repeat(10_000_000) })],
  giantCard: ['block.onChange', closed({ outputLines: Number.MAX_SAFE_INTEGER })],
  hugeSize: ['terminal.stream', () => ({ type: 'resize', cols: 1e7, rows: 1e7 })],
  endOfTime: ['block.onChange', closed({ startedMs: 1e300 })],
  year9999: ['block.onChange', closed({ cmd: 'in 9999', startedMs: Date.UTC(9999, 11, 31), exitCode: -7 })],
  words: ['block.onChange', closed({ exitCode: 'zero' })],
  foreign: ['block.onChange', () => ({ type: 'close', block: block('on-000000-t1') })],
  backwards: ['terminal.stream', () => ({ type: 'bytes', offset: 0, data: 'QQ==' })],
  beyond: ['terminal.stream', () => ({ type: 'bytes', offset: 2 ** 60, data: 'QQ==' })],
  delta: ['chat.onChange', () => ({ type: 'delta', id: 'never sent', at: 0, text: 'x' })],
  name: ['block.onChange', closed({ cmd: `echo ${NAME}`, cwd: `/${NAME}`, gitBranch: NAME })],
};

let attack = 'nothing';
const followed = new Map();

setInterval(() => {
  const wanted = named();
  if (wanted === attack) return;
  attack = wanted;
  if (wanted === 'twice') return twice();
  const [path, make] = ONCE[wanted.split(' ')[0]] ?? [];
  if (path) followed.get(path)?.say(make);
  else if (FLOODS[wanted]?.[0]) flood(wanted);
}, LOOK_MS);

function named() {
  try {
    return readFileSync(FAR_ATTACK, 'utf8').trim() || 'nothing';
  } catch {
    return 'nothing';
  }
}

function flood(name) {
  const [path, make] = FLOODS[name];
  const at = followed.get(path);
  while (at && attack === name && at.client.bufferedAmount < FULL_BYTES) at.say(make);
  if (attack === name) setTimeout(() => flood(name), 1);
}

/** One card in two places. */
function twice() {
  const at = followed.get('block.onChange');
  const one = block(at?.terminalId, { id: 'twice', cmd: 'here twice' });
  for (const seq of [5_000, 6_000, 7_000]) at?.say(() => ({ type: 'close', block: { ...one, seq } }));
}

relay(FAR_CLI, (answer, { path, input, say, client }) => {
  say(JSON.stringify(answer));
  const terminalId = input?.terminalId ?? input?.id;
  if (answer.result?.type !== 'started') {
    const { data } = answer.result ?? {};
    if (path === 'terminal.stream' && typeof data?.offset === 'number') {
      offset = data.offset + (data.type === 'bytes' ? Buffer.byteLength(data.data, 'base64') : 0);
    }
    return;
  }
  const data = (value) => say(JSON.stringify({ id: answer.id, result: { type: 'data', data: value } }));
  followed.set(path, { client, terminalId, say: (make) => data(make(terminalId)) });
});
