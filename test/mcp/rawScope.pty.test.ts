import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connected, call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Connected;
let id = '';
let ref = '';
/** No redaction rule matches it, so only the scope protects it. */
const UNKNOWN_SECRET = 'the-key-under-the-mat';

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  const block = await runIn(link.api, id, `echo ${UNKNOWN_SECRET}`);
  ref = `${id}.${block.id}`;
}, 60_000);

afterAll(() => served.dispose());

const TOOLS: [string, () => object][] = [
  ['pty_read_raw', () => ({ pty_id: id })],
  ['pty_read_raw', () => ({ pty_id: id, format: 'asciicast' })],
  ['blocks_read', () => ({ block_id: ref, view: 'raw_b64' })],
  ['chats_export', () => ({ chat_id: ref, format: 'asciicast' })],
];
const RESOURCES = [
  () => `term://block/${ref}/raw`,
  () => `term://pty/${id}/cast`,
  () => `term://pty/${id}/cast/0-10`,
  () => `term://chat/${ref}/cast`,
];

describe.each([['observe'], ['manage']])('a client with %s and not raw', (scope) => {
  beforeAll(() => served.allow([scope]));

  test.each(TOOLS)('is refused by %s %#, with how the person can allow it', async (tool, args) => {
    const fault = await refusal(mcp.client, tool, args() as Record<string, unknown>);
    expect(fault).toMatchObject({
      code: 'NOT_ALLOWED_SCOPE',
      message: expect.stringContaining(`${tool} needs the scope "raw"`),
      suggestion: expect.stringMatching(`policy.json.*"scopes": \\["${scope}", "raw"\\]`),
    });
    expect(JSON.stringify(fault)).not.toContain(UNKNOWN_SECRET);
  });

  test.each(RESOURCES)('cannot read or follow raw resource %#', async (uri) => {
    await expect(mcp.client.readResource({ uri: uri() })).rejects.toThrow(/needs the scope "raw"/);
    await expect(mcp.client.subscribeResource({ uri: uri() })).rejects.toThrow();
  });

  test('reads text as before', async () => {
    expect((await call(mcp.client, 'blocks_read', { block_id: ref })).parts).toHaveLength(1);
    await expect(mcp.client.readResource({ uri: `term://block/${ref}/output` })).resolves.toBeDefined();
  });

  test('is in the audit with each refusal', async () => {
    const { lines } = await link.api.audit.page.query({ filter: { client: 'test-client' }, limit: 500 });
    const refused = new Set(lines.filter(({ rule }) => rule === 'NOT_ALLOWED_SCOPE').map(({ tool }) => tool));
    expect(refused).toEqual(
      new Set(['pty_read_raw', 'blocks_read', 'chats_export', 'resources/read', 'resources/subscribe']),
    );
  });
});

test('with the scope raw a client gets the bytes', async () => {
  served.allow(['raw']);
  const { data_b64 } = await call(mcp.client, 'pty_read_raw', { pty_id: id });
  expect(Buffer.from(data_b64, 'base64').toString()).toContain(UNKNOWN_SECRET);
  await expect(mcp.client.readResource({ uri: `term://block/${ref}/raw` })).resolves.toBeDefined();
  await expect(mcp.client.readResource({ uri: `term://pty/${id}/cast` })).resolves.toBeDefined();
  expect((await call(mcp.client, 'pty_whoami')).scopes).toEqual(['observe', 'raw']);
});
