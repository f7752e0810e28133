import { join } from 'node:path';
import type { SetupClient, SetupPlace } from '../SetupClient.ts';

/** `context_servers` of settings.json, which may contain comments. Source: zed.dev/docs/ai/mcp and zed.dev/docs/configuring-zed. */
export const zed: SetupClient = {
  name: 'zed',
  title: 'Zed',
  format: 'json',
  configFile: (place) => join(userFolder(place), 'settings.json'),
  servers: 'context_servers',
  entry: ({ command, args }) => ({ command, args, env: {} }),
  remark: 'It takes effect at once; the settings of its agent panel show it.',
};

function userFolder({ home, platform, env }: SetupPlace): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Zed');
  if (platform === 'darwin') return join(home, '.config', 'zed');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed');
}
