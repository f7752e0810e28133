import { expect, test } from 'vitest';
import type { McpCaller } from '../../../src-main/contract/mcp/mcp.ts';
import { OwnTerminals } from '../../../src-main/mcp/input/OwnTerminals.ts';

const WISH = { cwd: null, cols: 80, rows: 24, name: '' };
const HOW = { maySee: () => true, count: () => undefined };
const caller = (account: string, owner: string | null = null) =>
  ({ account, owner, name: 'builder', title: '', terminalId: null }) as McpCaller;

function bench() {
  const open: { id: string; view: { id: string; openedBy?: string } }[] = [{ id: 'person', view: { id: 'person' } }];
  const owners = new Map<string, string | null>();
  const deps = {
    openTerminal: async ({ openedBy, owner }: { openedBy: string; owner: string | null }) => {
      const id = `t${open.length}`;
      open.push({ id, view: { id, openedBy } });
      owners.set(id, owner);
      return { id };
    },
    closeTerminal: async (id: string) =>
      open.splice(
        open.findIndex((one) => one.id === id),
        1,
      ),
    terminals: () => open,
    ownerOf: async (id: string) => owners.get(id) ?? null,
    audit: () => undefined,
  };
  return { open, restarted: () => new OwnTerminals(deps) };
}

test('a client that connects again and again, also over restarts of the core, does not fill the window with terminals', async () => {
  const { open, restarted } = bench();
  let own = restarted();
  for (let n = 0; n < 12; n += 1) {
    if (n % 3 === 0) own = restarted();
    await own.open(WISH, caller(`process-${n}`), HOW);
  }
  await expect(restarted().open(WISH, caller('process-99'), HOW)).rejects.toMatchObject({ code: 'BUSY' });
  open.pop();
  expect(await restarted().open(WISH, caller('process-99'), HOW)).toBe('t12');
});

test.each([
  ['another token', 'token:b'],
  ['another process of that id', 'process:7@12@boot'],
  ['no proof', null],
])('after a restart a client owns what it opened, and one with %s does not', async (_, stranger) => {
  for (const owner of ['token:a', 'process:7@11@boot']) {
    const { restarted } = bench();
    const id = await restarted().open(WISH, caller('before', owner), HOW);
    const own = restarted();
    await expect(own.close(id, caller('after', stranger))).rejects.toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    await expect(own.close('person', caller('after', owner))).rejects.toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    expect(await own.close(id, caller('after', owner))).toBe(id);
    await expect(own.close(id, caller('after', owner))).rejects.toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  }
});

test('terminals from before a restart count as the ones that their owner has open', async () => {
  const { restarted } = bench();
  for (let n = 0; n < 3; n += 1) await restarted().open(WISH, caller('before', 'token:a'), HOW);
  const own = restarted();
  await own.open(WISH, caller('after', 'token:a'), HOW);
  await expect(own.open(WISH, caller('after', 'token:a'), HOW)).rejects.toMatchObject({ code: 'BUSY' });
  await own.open(WISH, caller('other', 'token:b'), HOW);
});

test('another session of the same token does not own what one opened since the core started', async () => {
  const { restarted } = bench();
  const own = restarted();
  const id = await own.open(WISH, caller('one', 'token:a'), HOW);
  await expect(own.close(id, caller('two', 'token:a'))).rejects.toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
});
