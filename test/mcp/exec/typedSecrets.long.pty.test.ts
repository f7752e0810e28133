import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import type { ScreenReading } from '../../../src-main/contract/screen/screen.ts';
import type { InputRequest } from '../../../src-main/mcp/input/InputRequest.ts';
import { isTypingShown } from '../../../src-main/mcp/input/typingShown.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { begin, type TestCore } from '../../support/TestCore.ts';
import { ALLOWING, caller, setPolicy, startWith } from './clients.ts';

const TYPING = { ...ALLOWING, input: { default: 'allow' } };
const SECRET = 'hunter2-secret';

let core: TestCore;

beforeAll(async () => {
  core = await startWith(TYPING);
});

afterAll(() => core.dispose());

async function running(cmd: string, shell = 'bash'): Promise<{ terminal: PtyInstance; leaseId: string }> {
  const terminal = await core.open(shell);
  await begin(terminal, cmd);
  await terminal.screen.wait({
    conditions: [{ type: 'stable', ms: 400, ignoreRows: [] }],
    mode: 'any',
    timeoutMs: 5000,
    scrollback: 0,
  });
  const { id } = await core.core.clients.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller());
  return { terminal, leaseId: id };
}

const send = ({ terminal, leaseId }: { terminal: PtyInstance; leaseId: string }, what: Partial<InputRequest>) =>
  core.core.clients.send.send({ terminalId: terminal.id, leaseId, ...what }, caller());

async function newest(): Promise<AuditLine | undefined> {
  return (await core.core.clients.audit.log.page({ limit: 1 })).lines[0];
}

test.each([
  ['bash', 'read -s pw'],
  ['bash', 'read -sn 30 pw'],
  ['zsh', 'read -s pw'],
  ['bash', 'stty -echo; cat; stty echo'],
])('in %s, what is typed into `%s` is not in the audit, only how much it was', async (shell, cmd) => {
  const there = await running(cmd, shell);
  await send(there, { text: SECRET });
  expect(await newest()).toMatchObject({ what: '14 characters, not recorded which', decision: 'allowed', bytes: 14 });
  await send(there, { keys: ['a', 'b'] });
  expect(await newest()).toMatchObject({ what: '2 keys, not recorded which' });
  setPolicy(core, ALLOWING);
  await expect(send(there, { paste: SECRET })).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
  expect(await newest()).toMatchObject({
    what: '14 characters, not recorded which',
    decision: 'denied',
    rule: 'input',
  });
  setPolicy(core, TYPING);
  expect(readFileSync(core.core.clients.audit.log.path, 'utf8')).not.toContain('hunter2');
});

test('the digest of a password that was typed is the same whatever the password', async () => {
  const there = await running('read -s pw');
  await send(there, { text: SECRET });
  const first = await newest();
  await send(there, { text: 'other-word-yet' });
  expect((await newest())?.args_digest).toBe(first?.args_digest);
});

test('what is typed where it shows is in the audit as it is', async () => {
  const there = await running('cat');
  await send(there, { text: 'shown here' });
  expect(await newest()).toMatchObject({ what: 'shown here', bytes: 10 });
});

test.each([
  ["me@host's password: ", false],
  ['[sudo] Password for me:', false],
  ['Enter passphrase for key “/id”: ', false],
  ['PIN: ', false],
  ['> tell me about passwords', true],
  ['me@host:~$ ', true],
])('a program that draws by itself behind %j shows what is typed: %s', (text, isShown) => {
  const frame = { rows: [{ text: 'above' }, { text: text.trimEnd() }], cursor: { row: 1, col: text.length } };
  const reading = { full: true, frame } as unknown as ScreenReading;
  expect(isTypingShown('self', reading)).toBe(isShown);
  expect([isTypingShown('on', reading), isTypingShown('off', reading)]).toEqual([true, false]);
});
