import { join } from 'node:path';
import type { SetupClient, SetupPlace } from '../SetupClient.ts';

/**
 * `servers` of mcp.json in the default profile's folder.
 * Source: code.visualstudio.com/docs, "MCP configuration reference" and "User and workspace settings" (the folder of each system).
 */
export const vscode: SetupClient = {
  name: 'vscode',
  title: 'Visual Studio Code',
  format: 'json',
  configFile: (place) => join(userFolder(place), 'Code', 'User', 'mcp.json'),
  servers: 'servers',
  entry: ({ command, args }) => ({ type: 'stdio', command, args }),
  remark: 'It asks once whether to trust the server; "MCP: List Servers" starts it.',
};

function userFolder({ home, platform, env }: SetupPlace): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
