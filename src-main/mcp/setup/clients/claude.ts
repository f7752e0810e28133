import { join } from 'node:path';
import type { SetupClient } from '../SetupClient.ts';

/**
 * Servers of user scope are at the top of ~/.claude.json, or in `$CLAUDE_CONFIG_DIR` if it is set.
 * Source: code.claude.com/docs, "MCP installation scopes" and "Environment variables"; tried with `claude mcp get`.
 */
export const claude: SetupClient = {
  name: 'claude',
  title: 'Claude Code',
  format: 'json',
  configFile: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
  servers: 'mcpServers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args, env: {} }),
  remark: 'It takes effect in its next session; `/mcp` shows it. In policy.json it is "claude-code".',
  channelRemark:
    'It listens when it is started so: claude --dangerously-load-development-channels server:hansard (a research preview of theirs, which wants a login at claude.ai).',
};
