import { join } from 'node:path';
import type { SetupClient } from '../SetupClient.ts';

/**
 * A table `mcp_servers.<name>` of config.toml in `$CODEX_HOME`, else ~/.codex.
 * Source: developers.openai.com/codex/mcp; tried with `codex mcp get`.
 */
export const codex: SetupClient = {
  name: 'codex',
  title: 'Codex',
  format: 'toml',
  configFile: ({ home, env }) => join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
  servers: 'mcp_servers',
  entry: ({ command, args }) => ({ command, args }),
  remark:
    'It takes effect in its next session; `/mcp` shows it. In policy.json it is "codex-mcp-client". `codex exec` asks nobody and runs no command through us unless its entry has default_tools_approval_mode = "approve"; Hansard asks you all the same.',
};
