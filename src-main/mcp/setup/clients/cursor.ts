import { join } from 'node:path';
import type { SetupClient } from '../SetupClient.ts';

/** `mcpServers` of ~/.cursor/mcp.json, on every system. Source: cursor.com/docs/mcp. */
export const cursor: SetupClient = {
  name: 'cursor',
  title: 'Cursor',
  format: 'json',
  configFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
  servers: 'mcpServers',
  entry: ({ command, args }) => ({ command, args }),
  remark: 'It takes effect when Cursor is started again; its MCP settings show it.',
};
