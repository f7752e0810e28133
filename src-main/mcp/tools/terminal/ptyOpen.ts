import { z } from 'zod';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';

export const ptyOpen = defineTool({
  name: 'pty_open',
  aliases: ['pty.open', 'pty_create'],
  title: 'Open a terminal of your own',
  description:
    'Opens a terminal for you in the background, here or on a host: a tab with your name that no window brings to the front. Run commands in it with pty_exec, under the same rules as anywhere. At most four at a time. With close it closes one that you have opened, and ends what runs there.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  profile: 'standard',
  scope: 'exec',
  input: z.strictObject({
    cwd: z.string().min(1).max(4096).optional().describe('absolute path; else the home folder'),
    name: z
      .string()
      .max(60)
      .regex(/^[^\p{C}]*$/u, 'a name has no control or invisible characters')
      .default(''),
    cols: capped(20, 400, 120),
    rows: capped(5, 200, 40),
    close: z.optional(PtyId),
    host: z.string().max(255).optional().describe('from pty_list'),
  }),
  about: ({ close = null, cwd = '~' }) => ({ terminalId: close, what: close === null ? cwd : 'close it' }),
  async run({ close, cwd = null, name, cols, rows }, { clients, caller, desk, authority }) {
    if (close !== undefined) {
      desk.record.liveTerminal(close);
      return { facts: { pty_id: await clients.own.close(close, caller), outcome: 'closed' } };
    }
    const id = await clients.own.open({ cwd, name, cols, rows }, caller, {
      maySee: (made) => desk.record.isSeen(made),
      count: () => authority.countCommands(caller, 1),
    });
    return { facts: { pty_id: id, outcome: 'opened', next: `pty_exec(pty_id: "${id}", cmd: …)` } };
  },
});
