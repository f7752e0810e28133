import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src-main/mcp/tools/all.ts';
import { connectTo } from '../support/coreClient.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { ServedApp } from '../support/WebApp.ts';
import { beside, fromSchema, type InputSchema } from './fromSchema.ts';
import { type Connected, call, connectClient } from './mcpClient.ts';
import { runIn } from './runIn.ts';

const app = new ServedApp();
let link: ReturnType<typeof connectTo>;
let mcp: Connected;
let schemas = new Map<string, InputSchema>();
const ids = { pty: '', block: '' };

beforeAll(async () => {
  await app.start();
  const scopes = ['observe', 'suggest', 'exec', 'input', 'manage', 'raw'];
  const limits = { exec_per_min: 600, reads_per_min: 1e6, waits_concurrent: 32, bytes_per_min: 2 ** 30, queue_len: 8 };
  // the client has all scopes, but its commands never run
  const policy = {
    version: 1,
    clients: { '*': { scopes } },
    exec: { default: 'deny' },
    input: { default: 'deny' },
    limits,
  };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  link = connectTo(app.home);
  mcp = await connectClient(app.home, { preface: { profile: 'full' } });
  ({ id: ids.pty } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
  await runIn(link.api, ids.pty, "printf '\\e[31mred\\e[m \\u202e\\u200b [end 123456]\\n'; seq 1 300; false");
  const { blocks } = await call(mcp.client, 'blocks_since', { limit: 1 });
  ids.block = blocks[0].block_id;
  const { tools } = await mcp.client.listTools();
  schemas = new Map([
    // also tools that can be called but are not listed
    ...TOOLS.map(({ name, input }) => [name, z.toJSONSchema(input, { io: 'input' }) as InputSchema] as const),
    ...tools.map(({ name, inputSchema }) => [name, inputSchema as InputSchema] as const),
  ]);
}, 60_000);

afterAll(async () => {
  await mcp?.close();
  link?.dispose();
  await app.dispose();
});

const known = (name: string): readonly unknown[] =>
  ({ pty_id: [ids.pty], block_id: [ids.block], keys: [['Enter'], ['Ctrl+C', 'Up*3']], mode: ['any', 'all'] })[name] ??
  [];

/** Characters that must not reach a model: controls except newline and tab, bidi, zero-width and tag characters. */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff\u{e0000}-\u{e007f}]/u;
/** Throws if the schema is missing: without one, the test would draw arguments that the protocol itself refuses. */
function schemaOf(name: string): InputSchema {
  const schema = schemas.get(name);
  if (!schema) throw new Error(`${name} has no schema`);
  return schema;
}

const CODE = /^[A-Z][A-Z_]+$/;

/** Calls a tool; expects an answer or a refusal that says what to do, never an internal error. */
async function answers(name: string, args: unknown): Promise<string | null> {
  const told = await mcp.client.callTool({ name, arguments: args as Record<string, unknown> });
  const content = told.content as { type: string; text?: string }[];
  const text = content.map((part) => part.text ?? '').join('\n');
  expect(text).not.toMatch(UNSAFE);
  const facts = told.structuredContent as Record<string, unknown>;
  expect(facts.ts).toBeTypeOf('number');
  if (!told.isError) return null;
  expect(facts.code).toMatch(CODE);
  expect(text).toContain(`${facts.code}: ${facts.message} — ${facts.suggestion}`);
  return String(facts.code);
}

describe.each(TOOLS.map(({ name }) => name))('%s', (name) => {
  test('answers whatever its schema allows', async () => {
    const schema = schemaOf(name);
    const codes = new Set<string | null>();
    await fc.assert(
      fc.asyncProperty(fromSchema(schema, known), async (args) => {
        codes.add(await answers(name, args));
      }),
      { ...fuzzRuns(60), endOnFailure: true },
    );
    expect(
      [...codes].some((code) => code !== 'BAD_INPUT'),
      'it never came to the work itself',
    ).toBe(true);
  });

  test('refuses what its schema does not, in words', async () => {
    const schema = schemaOf(name);
    await fc.assert(
      fc.asyncProperty(beside(schema, known), async (args) => void (await answers(name, args))),
      { ...fuzzRuns(60), endOnFailure: true },
    );
  });
});

test('nothing of it was run or typed', async () => {
  const { blocks } = await call(mcp.client, 'blocks_since', { limit: 5, pty_id: ids.pty });
  expect(blocks.filter(({ actor }: { actor: string }) => actor !== 'user')).toEqual([]);
  await runIn(link.api, ids.pty, 'echo still there');
});
