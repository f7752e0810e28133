import { expect, test } from 'vitest';
import type { McpCaller } from '../../../src-main/contract/mcp/mcp.ts';
import { OwnTerminals } from '../../../src-main/mcp/input/OwnTerminals.ts';

const WISH = { cwd: null, cols: 80, rows: 24, name: '' };
const HOW = { maySee: () => true, count: () => undefined };
const caller = (account: string) => ({ account, name: 'builder', title: '', terminalId: null }) as McpCaller;

function bench() {
  const open: { id: string; view: { openedBy?: string } }[] = [{ id: 'person', view: {} }];
  const deps = {
    openTerminal: async ({ openedBy }: { openedBy: string }) => {
      const id = `t${open.length}`;
      open.push({ id, view: { openedBy } });
      return { id };
    },
    closeTerminal: async () => undefined,
    terminals: () => open,
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
