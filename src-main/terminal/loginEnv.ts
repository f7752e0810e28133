import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables of a login shell that decide which editor opens. */
const NAMES = ['PATH', 'VISUAL', 'EDITOR'] as const;
/** Longest time for start-up files; after it, the editor is searched with the core's own variables. */
const TIMEOUT_MS = 8_000;
/** Limit of what start-up files may print, in characters. */
const MAX_CHARS = 1024 * 1024;
/** Time after a shell's end in which its output is still read. */
const GRACE_MS = 500;
/** Marks the start of the values, because start-up files may print before them. */
const MARK = 'hansard-login-env';

/**
 * Adds PATH, VISUAL and EDITOR, if `env` lacks them, from the person's interactive login shell. An app started from a
 * desktop's menu inherits the session's PATH, without additions of start-up files (Homebrew, ~/.local/bin, Nix). Variables of `env` stay:
 * those of a core that was started in a terminal are better. Returns `env` itself if the shell fails or takes too long.
 */
export async function completeEnv(env: Env, shell: string): Promise<Env> {
  const printed = await printedBy(shell, env);
  const at = printed.lastIndexOf(`${MARK}\0`);
  if (at === -1) return env;
  const [path = '', ...editors] = printed.slice(at + MARK.length + 1).split('\0');
  const folders = [env.PATH ?? '', path].flatMap((list) => list.split(delimiter)).filter(Boolean);
  const [visual, editor] = editors;
  return {
    ...env,
    PATH: [...new Set(folders)].join(delimiter),
    VISUAL: env.VISUAL || visual || undefined,
    EDITOR: env.EDITOR || editor || undefined,
  };
}

/** Runs in its own session: otherwise an interactive shell would take over the terminal from which the core was started. */
function printedBy(shell: string, env: Env): Promise<string> {
  const script = `printf '%s\\0' ${MARK} ${NAMES.map((name) => `"$${name}"`).join(' ')}`;
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = spawn(shell, ['-l', '-i', '-c', script], {
    env: { ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: AbortSignal.timeout(TIMEOUT_MS), // the option `timeout` would leave its timer behind for a shell that does not exist
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (printed.length < MAX_CHARS) printed += text;
    if (isComplete(printed)) resolve(printed);
  });
  child.on('error', () => resolve(''));
  child.on('close', () => resolve(printed));
  // A program that a start-up file left in the background holds the pipe open, so `close` may never come.
  child.on('exit', () => setTimeout(() => resolve(printed), GRACE_MS).unref());
  return promise.finally(() => child.stdout.destroy());
}

function isComplete(printed: string): boolean {
  const at = printed.lastIndexOf(`${MARK}\0`);
  return at !== -1 && printed.slice(at + MARK.length + 1).split('\0').length > NAMES.length;
}
