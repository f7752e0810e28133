import { execFile } from 'node:child_process';

const LIMIT_MS = 300;
const MAX_BYTES = 1024 * 1024;

/**
 * What a program prints, or '' when it fails or takes longer than 300 ms; it is killed then. The program is named by its full path, and runs
 * in the root folder, so that nothing of the terminal's folder is run or read. It gets only what it needs to find the person's settings.
 */
export function runQuiet(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const { HOME, PATH, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_CONFIG } = env;
  return new Promise((resolve) => {
    execFile(
      path,
      [...args],
      {
        cwd: '/',
        env: { HOME, PATH, DOCKER_HOST, DOCKER_CONTEXT, DOCKER_CONFIG, LC_ALL: 'C' },
        timeout: LIMIT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_BYTES,
        windowsHide: true,
      },
      (error, stdout) => resolve(error ? '' : stdout),
    );
  });
}
