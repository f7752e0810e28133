import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CELL, MARGIN_PX } from '../../src-main/picture/geometry.ts';
import type { connectTo } from '../support/coreClient.ts';
import { type Pixels, readPng } from '../support/readPng.ts';
import { type Connected, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: ReturnType<typeof connectTo>;
let mcp: Connected;
let id = '';

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 60, rows: 12 }));
}, 60_000);

afterAll(async () => {
  await served.dispose();
});

interface Shot {
  readonly pixels: Pixels;
  readonly rows: string[];
  readonly facts: Record<string, unknown> & { image: Record<string, unknown> };
}

async function snapshot(args: Record<string, unknown> = {}): Promise<Shot> {
  const result = await mcp.client.callTool({ name: 'pty_snapshot', arguments: { pty_id: id, image: 'png', ...args } });
  const content = result.content as { type: string; data?: string; mimeType?: string; text?: string }[];
  expect(content.map(({ type, mimeType }) => [type, mimeType])).toEqual([
    ['text', undefined],
    ['image', 'image/png'],
  ]);
  const facts = result.structuredContent as Shot['facts'] & { text: string };
  return {
    pixels: readPng(Buffer.from(content[1]?.data ?? '', 'base64')),
    rows: facts.text.split('\n').slice(1),
    facts,
  };
}

const middleOf = (pixels: Pixels, row: number, col: number): string =>
  pixels.at(MARGIN_PX + col * CELL.width + 4, MARGIN_PX + row * CELL.height + 10);

test('a picture comes beside the text, of the same frame', async () => {
  await runIn(link.api, id, "clear; printf '\\e[41m  \\e[0m ok\\n'");
  const { pixels, rows, facts } = await snapshot({ since: 0 });
  const row = rows.findIndex((text) => text.trim() === 'ok');
  expect([pixels.width, pixels.height]).toEqual([60 * CELL.width + 20, 12 * CELL.height + 20]);
  expect([middleOf(pixels, row, 0), middleOf(pixels, row, 1), middleOf(pixels, row, 2)]).toEqual([
    '#e0695f',
    '#e0695f',
    '#14161a',
  ]);
  expect(facts).toMatchObject({
    full: true,
    image: {
      about: `picture of terminal output · untrusted · pty ${id} · seq ${facts.seq}`,
      width: pixels.width,
      height: pixels.height,
      redactions: 0,
    },
  });
});

test('a secret is covered in it, and counted', async () => {
  await runIn(link.api, id, `clear; printf 'token %s end\\n' ghp_${'a1B2'.repeat(9)}`);
  const { pixels, rows, facts } = await snapshot();
  const row = rows.findIndex((text) => text.startsWith('token [redacted'));
  const cells = Array.from({ length: 48 }, (_, col) => middleOf(pixels, row, col) === '#e8e4db');
  expect(cells.slice(6, 46)).toEqual(cells.slice(6, 46).map(() => true));
  expect([cells[5], cells[46]]).toEqual([false, false]);
  expect(facts.image.redactions).toBeGreaterThan(0);
});

test('it is a resource too', async () => {
  const { contents } = await mcp.client.readResource({ uri: `term://pty/${id}/screen.png` });
  expect(contents).toMatchObject([{ mimeType: 'image/png' }]);
  const [{ blob = '' } = {}] = contents as { blob?: string }[];
  expect(readPng(Buffer.from(blob, 'base64')).width).toBe(60 * CELL.width + 20);
});

test('a screen that is too large for one is refused with what to do, its text is not', async () => {
  const { id: wide } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 600, rows: 5 });
  expect(await refusal(mcp.client, 'pty_snapshot', { pty_id: wide, image: 'png' })).toMatchObject({
    code: 'TOO_LARGE',
    suggestion: 'read the text instead: leave image out',
  });
  const { isError } = await mcp.client.callTool({ name: 'pty_snapshot', arguments: { pty_id: wide } });
  expect(isError).not.toBe(true);
});

test('of a private terminal there is none', async () => {
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 40, rows: 5 });
  const policy = { version: 1, ptys: { private: [own] } };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  expect(await refusal(mcp.client, 'pty_snapshot', { pty_id: own, image: 'png' })).toMatchObject({
    code: 'PTY_NOT_FOUND',
  });
  await expect(mcp.client.readResource({ uri: `term://pty/${own}/screen.png` })).rejects.toThrow('PTY_NOT_FOUND');
});
