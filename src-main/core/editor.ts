import { spawn } from 'node:child_process';

/**
 * Opens a file in the person's graphical editor ($VISUAL if it needs no terminal, else the desktop's default). Arguments are an array, so the path is
 * never parsed by a shell.
 */
export async function openOutputInEditor(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ opened: boolean; text: string }> {
  const command = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { opened: false, text: path };
  return new Promise((resolve) => {
    const child = spawn(command, [path], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve({ opened: false, text: path }));
    child.on('spawn', () => {
      child.unref();
      resolve({ opened: true, text: path });
    });
  });
}
