import { expect, test } from 'vitest';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import { shownParts } from '../../../src-main/mcp/access/shownParts.ts';
import { answerIn, approvalForm } from '../../../src-main/mcp/elicitation/approvalForm.ts';

const APPROVAL: Approval = {
  id: 'a-1',
  terminalId: 't1',
  blockId: 'q-1',
  client: { name: 'cli', title: 'A Client', terminalId: null, isVerified: true },
  kind: 'command',
  reason: null,
  saysReadOnly: false,
  cmd: 'git push',
  shown: shownParts('git push'),
  cwd: '/repo',
  hash: 'f'.repeat(64),
  rule: 'default',
  why: 'no rule allows it',
  subcommand: null,
  prefix: ['git', 'push'],
  askedMs: 0,
  expiresMs: 30_000,
};
const messageOf = (change: Partial<Approval>): string => approvalForm({ ...APPROVAL, ...change }).message;

test('says the command, where, why and the hash', () => {
  const message = messageOf({ reason: 'to release' });
  for (const said of ['git push', 't1', '/repo', 'no rule allows it', APPROVAL.hash, 'to release', 'A Client'])
    expect(message).toContain(said);
});

test('says that it only reads where the client claims so, as its word', () => {
  expect(messageOf({ saysReadOnly: true })).toContain('the client says that it only reads');
  expect(messageOf({})).not.toContain('only reads');
});

test('names what a person would not see, in the command and in all that is not ours', () => {
  const hidden = 'a\u202eb\u0007';
  const message = messageOf({ shown: shownParts(`echo x\nrm${hidden}`), cwd: hidden, reason: hidden, why: hidden });
  expect(message).toContain('echo x‹⏎›rma‹U+202E›b‹U+0007›');
  expect(message.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(message.split('\n')).toHaveLength(messageOf({ reason: 'x' }).split('\n').length); // hidden characters add no lines
});

test('takes secrets out of what may have come from a terminal', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  expect(messageOf({ cwd: `/x/${secret}`, why: `ls is an alias: curl -H ${secret}` })).not.toContain(secret);
});

test('offers nothing that holds on', () => {
  expect(approvalForm(APPROVAL).requestedSchema.properties.answer?.enum).toEqual(['deny', 'once']);
});

test.each([
  [{ action: 'accept', content: { answer: 'once' } }, { choice: 'once' }],
  [{ action: 'accept', content: { answer: 'once', reason: 'ignored' } }, { choice: 'once' }],
  [
    { action: 'accept', content: { answer: 'deny', reason: 'no' } },
    { choice: 'deny', reason: 'no' },
  ],
  [
    { action: 'accept', content: { answer: 'deny' } },
    { choice: 'deny', reason: '' },
  ],
  [{ action: 'decline' }, { choice: 'deny', reason: 'declined in the client' }],
  [{ action: 'cancel' }, { choice: 'deny', reason: 'the question was dismissed in the client' }],
])('reads %j', (brought, answer) => {
  expect(answerIn(brought)).toEqual(answer);
});

test.each([
  null,
  undefined,
  'once',
  {},
  { action: 'accept' },
  { action: 'accept', content: {} },
  { action: 'accept', content: { answer: 'exact' } },
  { action: 'accept', content: { answer: 'prefix' } },
  { action: 'accept', content: { answer: ['once'] } },
  { action: 'accept', content: { answer: 'deny', reason: 'x'.repeat(301) } },
  { action: 'ACCEPT', content: { answer: 'once' } },
])('%j is no answer', (brought) => {
  expect(answerIn(brought)).toBeNull();
});
