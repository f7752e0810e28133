// Replaces `ssh`: a real core behind a proxy that forges its messages. Texts become markup and control characters, numbers and whole fields become
// nonsense, messages come again and out of order, and the list of terminals has thousands that do not exist.
import { appendFileSync } from 'node:fs';
import { relay } from './relay.mjs';

const { FAR_CLI = '', FAR_CALLS = '', FAR_SEED = '1' } = process.env;
const TERMINALS = 2_500;
/** Fewer than a window shows, so that the real terminals are among them. */
const SHOWN = 250;
/** Changes of terminals: so many at once, ten times a second, for two seconds. */
const FLOOD = { changes: 500, times: 20 };
let state = Number(FAR_SEED) >>> 0 || 1;
const random = (below) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];

// Other uses of ssh: forwarded ports, commands beside the connection
if (!process.argv.includes('-M')) {
  appendFileSync(FAR_CALLS, `${process.argv.slice(2).join(' ')}\n`);
  process.exit(1);
}

const MARKUP = '<img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)">x</a>';
const TEXTS = [
  ...[
    '',
    MARKUP,
    '\u202e\u2066txt.exe\u2069',
    '\u001b[2J\u001b]0;x\u0007\u009b31m',
    '../../../etc/passwd',
    '__proto__',
  ],
  ...['x'.repeat(20_000), '\u0301'.repeat(5_000), '\u{e0041}'.repeat(500), '\ud800', 'javascript:alert(4)', '{{7*7}}'],
];
/** Becomes a number that no JSON writer gives: it is read as Infinity. */
const ENDLESS = '@@1e999@@';
const NUMBERS = [0, -1, 3.5, -1e308, 1e308, Number.MAX_SAFE_INTEGER, null, ENDLESS];
/** Fields that say what a value is. Forged seldom, because the rest of a value is read only if they are right. */
const KIND = /^(?:type|state|status|kind|level|format|role|part|id|.*Id|key|cwd|path)$/;

function forged(value, name = '') {
  const rate = KIND.test(name) ? 300 : 6;
  if (random(600) === 0) return pick([null, '', 0, [], {}, true, MARKUP]);
  if (typeof value === 'string') return name !== 'data' && random(rate) === 0 ? pick(TEXTS) : value;
  if (typeof value === 'number') return random(rate * 3) === 0 ? pick(NUMBERS) : value;
  if (Array.isArray(value)) {
    const items = value.map((one) => forged(one));
    return random(12) === 0 ? [...items, ...items].reverse() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, forged(one, field)]));
}

const TERMINAL = {
  ...{ shell: 'bash', name: null, cwd: `/${MARKUP}`, gitBranch: MARKUP, cols: 80, rows: 24, createdMs: 1 },
  ...{ state: 'live', exitCode: null, signal: null, quality: { level: 'rich', reason: '', fix: null }, atPrompt: true },
  ...{ runningBlockId: null, keyTaker: null, lastExitCode: null, altScreen: false, recordFault: null, bell: false },
  ...{ notification: null, agent: null, progress: null, title: '' },
};
const AGENT = {
  ...{ name: MARKUP, label: `\u202e${MARKUP}`, state: 'working', evidence: null, sinceMs: 1 },
  ...{ conversationId: 'c', asks: null },
};
const crowd = Array.from({ length: TERMINALS }, (_, at) => ({
  ...TERMINAL,
  id: `t${at}`,
  ...(at % 5 === 0 && { name: MARKUP }),
  ...(at % 7 === 0 && { agent: AGENT }),
  title: at === 3 ? 'x'.repeat(8 * 1024 * 1024) : pick(TEXTS),
}));

const sent = [];

function flood(id, terminals, say) {
  const data = (value) => say(JSON.stringify({ id, result: { type: 'data', data: value } }));
  data({ type: 'all', terminals: [...crowd.slice(SHOWN), ...crowd.slice(0, SHOWN), ...terminals] });
  let times = 0;
  const again = setInterval(() => {
    times += 1;
    for (let n = 0; n < FLOOD.changes; n += 1)
      data({ type: 'changed', terminal: { ...pick(crowd.slice(4, SHOWN)), title: `${times} ${pick(TEXTS)}` } });
    if (times === FLOOD.times) clearInterval(again);
  }, 100);
}

relay(FAR_CLI, (message, { path, say: send }) => {
  const say = (text) => send(text.replaceAll(`"${ENDLESS}"`, '1e999'));
  if (path === undefined || path === 'system.info' || path === 'machine.ping') return say(JSON.stringify(message));
  const { result } = message;
  const text = JSON.stringify({ ...message, ...(result && { result: { ...result, data: forged(result.data) } }) });
  sent.push(text);
  say(text);
  if (random(4) === 0) say(pick(sent)); // again, and out of order
  if (random(20) === 0) say(JSON.stringify({ id: random(60), result: { type: 'data', data: pick(TEXTS) } }));
  if (random(20) === 0) say(pick(['{', '[]', 'null', '{"id":1e999}', '"PING"']));
  if (sent.length > 200) sent.shift();
  if (path === 'terminal.onChange' && result?.data?.type === 'all') flood(message.id, result.data.terminals, say);
  return undefined;
});
