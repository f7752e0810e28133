import { spawn } from 'node:child_process';
import { remark } from './output.ts';

/** Asks the desktop to open `url`. Does nothing without a desktop, because the URL has been printed anyway. */
export async function openInBrowser(url: string): Promise<void> {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.unref();
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve);
    child.once('error', () => {
      remark('no browser could be opened: open the URL yourself.');
      resolve();
    });
  });
}
