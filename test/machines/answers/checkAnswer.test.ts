import { expect, test } from 'vitest';
import { Block } from '../../../src-main/contract/block.ts';
import { checkAnswer, RefusedAnswer } from '../../../src-main/machines/answers/checkAnswer.ts';

const INPUT = { terminalId: 't1' };
const block = (change = {}) => ({
  ...Block.parse({
    ...{ id: 'b1', terminalId: 't1', seq: 1, status: 'completed', cmd: 'make', cwd: '/src', startedMs: 5, exitCode: 0 },
    ...{ trusted: true, rawStart: 0 },
  }),
  ...change,
});
const close = (change = {}) => ({ type: 'close', block: block(change) });
const message = (change = {}) => ({
  ...{ id: 'm1', terminalId: 't1', conversationId: 'c1', order: 1, kind: 'model', text: 'hello', final: true },
  ...{ startedMs: 1, updatedMs: 1, actor: 'user', origins: ['screen'] },
  provenance: { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'x', extractorVersion: 1, confidence: 1 },
  ...change,
});
const state = (change = {}) => ({
  ...{ type: 'state', offset: 9, cols: 80, rows: 24, data: 'x', runningBlockId: null, beginLine: null, promptLine: 0 },
  ...change,
});
const line = (span = {}) => ({
  ...{ total: 1, exact: true },
  lines: [{ n: 0, spans: [{ text: 'red', fg: 1, bold: true, ...span }] }],
});
const ask = (path: string, answer: unknown, input: unknown = INPUT) => checkAnswer('far', { path, input }, answer);

const MARKUP = '<img src=x onerror=alert(1)>\u202e';

test.each([
  ['terminal.stream', state()],
  ['terminal.stream', { type: 'bytes', offset: 9, data: 'aGVsbG8=' }],
  ['terminal.stream', { type: 'bytes', offset: Number.MAX_SAFE_INTEGER, data: '' }],
  ['terminal.stream', { type: 'mark', offset: 9, kind: 'begin', blockId: 'b1' }],
  ['terminal.stream', { type: 'exit', exitCode: null, signal: 'SIGKILL' }],
  ['block.onChange', close()],
  ['block.onChange', close({ cmd: MARKUP, cwd: `/${MARKUP}`, gitBranch: MARKUP })],
  ['block.onChange', close({ startedMs: Date.UTC(9999, 11, 31), exitCode: -7 })],
  ['block.onChange', { type: 'output', blockId: 'b1', outputBytes: 1, outputLines: 1 }],
  ['block.onChange', { type: 'divider', divider: { kind: 'gap', afterSeq: 0, atMs: 1, text: MARKUP } }],
  ['block.page', { blocks: [block(), block({ id: 'b2', seq: 2 })], more: false }],
  ['block.lines', line({ href: 'https://example.org/' })],
  ['chat.onChange', { type: 'message', message: message({ text: MARKUP }) }],
  ['chat.onChange', { type: 'delta', id: 'm1', at: 5, text: 'world' }],
  ['chat.page', { messages: [message()], events: [], more: false }],
  ['block.export', { fileName: 't1-b1.ansi', text: MARKUP, truncated: false }],
  ['chat.export', { fileName: 'hansard-größer-und-schöner.html', text: '', redacted: 2 }],
  ['screen.picture', { ok: false, reason: MARKUP }],
  ['screen.wait', { anything: 'that one dialog shows' }],
])('%s is passed on as it is: %j', (path, answer) => {
  expect(ask(path, answer)).toEqual(answer);
});

test.each([
  ['a size that would exhaust memory', 'terminal.stream', { type: 'resize', cols: 1e7, rows: 1e7 }, 'cols'],
  ['a state of that size', 'terminal.stream', state({ rows: 1_000_000 }), 'rows'],
  ['an offset beyond 2^53', 'terminal.stream', { type: 'bytes', offset: 2 ** 60, data: 'QQ==' }, 'offset'],
  ['an offset before the record', 'terminal.stream', { type: 'bytes', offset: -1, data: 'QQ==' }, 'offset'],
  ['bytes that are no base64', 'terminal.stream', { type: 'bytes', offset: 0, data: '<b>' }, 'data'],
  ['an item of 40 MiB', 'terminal.stream', { type: 'bytes', offset: 0, data: 'QUFB'.repeat(14_000_000) }, 'data'],
  ['an item of an unknown kind', 'terminal.stream', { type: 'open', url: 'https://example.org' }, 'type'],
  ['an exit code that is a word', 'block.onChange', close({ exitCode: 'zero' }), 'block.exitCode'],
  ['an exit code that is no whole number', 'block.onChange', close({ exitCode: 0.5 }), 'block.exitCode'],
  ['a time that no date can be', 'block.onChange', close({ startedMs: 1e300 }), 'block.startedMs'],
  ['a duration without end', 'block.onChange', close({ durationMs: Number.POSITIVE_INFINITY }), 'block.durationMs'],
  [
    'more lines than a card has',
    'block.onChange',
    close({ outputLines: Number.MAX_SAFE_INTEGER }),
    'block.outputLines',
  ],
  ['a command of 2 MB', 'block.onChange', close({ cmd: 'x'.repeat(2_000_000) }), 'block.cmd'],
  ['an id that leaves its folder', 'block.onChange', close({ id: '../../b1' }), 'block.id'],
  ['a card of another terminal', 'block.onChange', close({ terminalId: 't2' }), 'terminalId'],
  ['a card of a third machine', 'block.onChange', close({ terminalId: 'on-000000-t1' }), 'terminalId'],
  ['a page with one', 'block.page', { blocks: [block(), block({ terminalId: 't2' })], more: false }, 'terminalId'],
  [
    'a message of another terminal',
    'chat.onChange',
    { type: 'message', message: message({ terminalId: 't2' }) },
    'terminalId',
  ],
  ['a colour that is a rule of its own', 'block.lines', line({ fg: 'red;background:url(//x)' }), 'lines.0.spans.0.fg'],
  ['a list in place of a page', 'block.page', [], 'block.page'],
  ['a time of another answer', 'agent.changes.turns', { turns: [{ startedMs: 1e300 }] }, 'turns.0.startedMs'],
  ['a file that is a program', 'block.export', { fileName: 'notes.exe', text: '', truncated: false }, 'fileName'],
  ['a file elsewhere', 'chat.export', { fileName: '../../.bashrc.md', text: '', redacted: 0 }, 'fileName'],
  ['a picture that is a page', 'screen.picture', { ok: true, mediaType: 'text/html', base64: '' }, 'mediaType'],
  ['depth', 'agent.changes.read', JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`), 'agent.changes.read.a'],
  ['nothing', 'block.onChange', undefined, 'block.onChange'],
])('refuses %s, and says where it is', (_name, path, answer, place) => {
  expect(() => ask(path, answer)).toThrow(RefusedAnswer);
  expect(() => ask(path, answer)).toThrow(place);
});

test('a refusal contains no text of the machine', () => {
  const answer = close({ exitCode: MARKUP });
  expect(() => ask('block.onChange', answer)).toThrow(
    'far sent something that this version of Hansard does not accept (block.onChange.block.exitCode).',
  );
});

test('passes on the fields that this version knows, and no others', () => {
  expect(ask('block.onChange', close({ onclick: 'alert(1)' }))).toEqual(close());
});
