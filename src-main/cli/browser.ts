import { spawn } from 'node:child_process';

/** Asks the desktop to show `url`. Nothing happens where there is no desktop; the URL has been printed anyway. */
export function openInBrowser(url: string): void {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => process.stdout.write('No browser could be opened: open the URL yourself.\n'));
  child.unref();
}
