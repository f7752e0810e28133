import { execFile } from 'node:child_process';

const LIMIT_MS = 300;
const MAX_BYTES = 1024 * 1024;

/**
 * Returns the output of a program, or '' if it fails or takes longer than 300 ms, after which it is killed. `path` is absolute and the program
 * runs in the root folder, so it runs and reads nothing in the terminal's folder. It gets only the variables that it needs for the person's settings.
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
