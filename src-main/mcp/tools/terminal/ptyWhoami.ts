import { z } from 'zod';
import { PROTOCOL_VERSIONS } from '../../../contract/mcp/mcp.ts';
import { defineTool, READS } from '../../protocol/Tool.ts';

export const ptyWhoami = defineTool({
  name: 'pty_whoami',
  aliases: ['pty.whoami'],
  title: 'Who am I here',
  description:
    "Who you are here and what you may do: your scopes, the person's rules in short, limits, the terminal that you run in (do not write there), the one that the person looks at, the server's version.",
  hints: READS,
  profile: null, // pty_list has the same facts
  scope: 'observe',
  input: z.strictObject({}),
  about: () => ({ terminalId: null, what: 'what it may do' }),
  async run(_, { desk, caller, authority }) {
    return {
      facts: {
        client: caller.name,
        ...(caller.terminalId !== null && { caller_pty_id: caller.terminalId }),
        caller_verified: caller.isVerified,
        app_focused_pty: desk.focusedId,
        scopes: authority.scopes(caller),
        policy: authority.summary(caller),
        limits: authority.limits,
        server: {
          name: 'hansard',
          version: desk.version,
          instance_id: desk.epoch,
          protocol_eras: PROTOCOL_VERSIONS,
        },
        store_epoch: desk.epoch,
      },
    };
  },
});
