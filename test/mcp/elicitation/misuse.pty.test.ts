// Attacks by a client on the state and the answer that it sends back, as raw messages of the 2026 era.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setPolicy } from '../exec/clients.ts';
import { ASKING, AskBed, TOKEN } from './AskBed.ts';

const bed = new AskBed();
let count = 0;
const command = (): string => `echo misused-${++count}`;

beforeAll(async () => {
  await bed.start();
});
afterEach(() => {
  for (const { id } of bed.approvals.open) bed.approvals.answer(id, { choice: 'deny', reason: '' });
  setPolicy(bed.testCore, ASKING);
});
afterAll(() => bed.dispose());

// biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
type Result = Record<string, any>;

async function call(
  params: object,
  { client = 'one', capabilities = { elicitation: {} } as object } = {},
): Promise<Result> {
  const meta = 'io.modelcontextprotocol/';
  const _meta = {
    [`${meta}protocolVersion`]: '2026-07-28',
    [`${meta}clientInfo`]: { name: client, version: '1' },
    [`${meta}clientCapabilities`]: capabilities,
  };
  const response = await fetch(bed.url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'pty_exec',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'pty_exec', ...params, _meta },
    }),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '');
  const { result, error } = JSON.parse(json) as { result?: Result; error?: Result };
  return result ?? { error };
}

const args = (cmd: string) => ({ arguments: { pty_id: bed.terminal.id, cmd, wait_ms: 20_000 } });
const ONCE = { approval: { action: 'accept', content: { answer: 'once' } } };

async function asked(cmd: string): Promise<{ requestState: string; inputRequests: Result }> {
  const result = await call(args(cmd));
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  return result as { requestState: string; inputRequests: Result };
}

/** Expects that the approval is still open and the command has not run. */
function stillOpen(cmd: string): void {
  expect(bed.open.cmd).toBe(cmd);
  expect(bed.ran(cmd)).toBe(false);
}

test('the question goes out with the call, and the answer comes back with its retry', async () => {
  const cmd = command();
  const { requestState, inputRequests } = await asked(cmd);
  expect(inputRequests).toMatchObject({ approval: { method: 'elicitation/create', params: { mode: 'form' } } });
  stillOpen(cmd);
  const done = await call({ ...args(cmd), requestState, inputResponses: ONCE });
  expect(done.structuredContent).toMatchObject({ status: 'completed' });
  // a replay of the same message does not run a second command
  const again = await call({ ...args(cmd), requestState, inputResponses: ONCE });
  expect(again.structuredContent).toMatchObject({ status: 'completed', block_id: done.structuredContent.block_id });
  expect(await bed.audited(cmd)).toHaveLength(1);
});

test('a state that was changed opens nothing', async () => {
  const cmd = command();
  const { requestState } = await asked(cmd);
  const [version = '', body = '', mac = ''] = requestState.split('.');
  const envelope = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: Record<string, string>; exp: number };
  const forged = [
    version,
    Buffer.from(JSON.stringify({ ...envelope, exp: envelope.exp + 1 })).toString('base64url'),
    mac,
  ];
  const told = await call({ ...args(cmd), requestState: forged.join('.'), inputResponses: ONCE });
  expect(told).toMatchObject({ isError: true, structuredContent: { code: 'APPROVAL_EXPIRED' } });
  stillOpen(cmd);
});

test('a state of another client opens nothing', async () => {
  const cmd = command();
  const { requestState } = await asked(cmd);
  const told = await call({ ...args(cmd), requestState, inputResponses: ONCE }, { client: 'two' });
  expect(told).toMatchObject({ isError: true, structuredContent: { code: 'APPROVAL_EXPIRED' } });
  stillOpen(cmd);
});

test('an answer without its state belongs to nothing, and asks for nothing', async () => {
  const cmd = command();
  const told = await call({ ...args(cmd), inputResponses: ONCE });
  expect(told).toMatchObject({ isError: true, structuredContent: { code: 'BAD_INPUT' } });
  expect(bed.approvals.open).toEqual([]);
});

test('a yes to one command is no yes to another', async () => {
  const [cmd, other] = [command(), command()];
  const { requestState } = await asked(cmd);
  const told = await call({ ...args(other), requestState, inputResponses: ONCE });
  expect(told).toMatchObject({ isError: true, structuredContent: { code: 'BAD_INPUT' } });
  const inOther = { arguments: { ...args(cmd).arguments, cwd: '/' } };
  expect(await call({ ...inOther, requestState, inputResponses: ONCE })).toMatchObject({ isError: true });
  stillOpen(cmd);
  expect(bed.ran(other)).toBe(false);
});

test('a yes counts no more when the person has taken the permission back meanwhile', async () => {
  const cmd = command();
  const { requestState } = await asked(cmd);
  setPolicy(bed.testCore, { ...ASKING, remote_approval: false });
  const told = await call({ arguments: { ...args(cmd).arguments, wait_ms: 0 }, requestState, inputResponses: ONCE });
  expect(told.structuredContent).toMatchObject({ status: 'awaiting_approval' });
  stillOpen(cmd);
});

test('a client that shows addresses only is not asked to show a form', async () => {
  const cmd = command();
  const told = await call(
    { arguments: { ...args(cmd).arguments, wait_ms: 0 } },
    { client: 'urls', capabilities: { elicitation: { url: {} } } },
  );
  expect(told.structuredContent).toMatchObject({ status: 'awaiting_approval' });
});

// Must be the last test: it uses up the budget that all clients of this process share.
test('an answer does not count against the number of commands in a minute, and no bogus one gets a command through', async () => {
  setPolicy(bed.testCore, { ...ASKING, limits: { exec_per_min: 1 } });
  const one = async (client: string) => call(args(command()), { client });
  expect(await one('limited')).toMatchObject({ resultType: 'input_required' });
  expect((await one('limited')).structuredContent).toMatchObject({ code: 'RATE_LIMITED' });
  const bogus = await call({ ...args(command()), requestState: 'x', inputResponses: ONCE }, { client: 'limited' });
  expect(bogus.structuredContent).toMatchObject({ code: 'APPROVAL_EXPIRED' });
});
