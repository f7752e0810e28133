import { join } from 'node:path';
import type { SetupClient } from '../SetupClient.ts';

/**
 * `mcpServers` of the user settings; `$GEMINI_CLI_HOME` replaces the home folder.
 * Source: geminicli.com/docs, "MCP servers" and "Configuration"; tried with `gemini mcp list`.
 */
export const gemini: SetupClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  format: 'json',
  configFile: ({ home, env }) => join(env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json'),
  servers: 'mcpServers',
  entry: ({ command, args }) => ({ command, args }),
  remark:
    'It takes effect in its next session, in folders that it trusts; `/mcp` shows it. In policy.json it is "gemini-cli-mcp-client".',
};
