import type { HookHeader } from './hookHeader.ts';

/** A hook file as found in the hooks folder. */
export interface Hook {
  /** Absolute path. */
  path: string;
  header: HookHeader;
}

export interface LaunchRequest {
  /** Absolute path of the shell's program, or of any other program. */
  shellPath: string;
  hooks: readonly Hook[];
  hooksDir: string;
  /** Absolute path of the future nonce file; null if no disk accepts it: the shell then starts without its hook. */
  nonceFile: string | null;
  login: boolean;
  /** The shell's environment, before our additions. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface LaunchPlan {
  file: string;
  /** Arguments without the program's name, as node-pty expects them. */
  args: string[];
  /** Variables to set over the environment. */
  env: Record<string, string>;
  /** Base name of the program, such as `zsh`. */
  shell: string;
  integration: 'hook' | 'none';
  /** Best quality of the hook; `none` without one. */
  quality: 'none' | 'basic' | 'rich';
  /** Reason, for people. */
  reason: string;
  /** One line that fixes it, null if there is nothing to fix. */
  fix: string | null;
}

const PLACEHOLDER = /\{(?:(hook|hooksDir|nonceFile)(\.url)?|env\.([A-Za-z_][A-Za-z0-9_]*))\}/g;

/**
 * How to start a program so that its hook is loaded. `args` and `env` of a header may contain `{hook}` (the hook's path),
 * `{hooksDir}`, `{nonceFile}` (each also in URL form: `{hook.url}`) and `{env.NAME}`; an entry with an unset variable is left out.
 */
export function launchPlan(request: LaunchRequest): LaunchPlan {
  const shell = shellName(request.shellPath);
  const hook = request.hooks.find(({ header }) => header.shells.includes(shell));
  if (!hook) return plainPlan(request, shell);
  const { nonceFile } = request;
  if (nonceFile === null) return { ...plainPlan(request, shell), ...NO_ROOM };
  const { header } = hook;
  const fill = (text: string) => fillIn(text, hook.path, { ...request, nonceFile });
  const args = request.login && header.loginArgs ? header.loginArgs : header.args;
  const env = request.login ? { ...header.env, ...header.loginEnv } : header.env;
  return {
    file: request.shellPath,
    args: args.map(fill).filter((arg) => arg !== null),
    env: Object.fromEntries(Object.entries(env).flatMap(([name, value]) => entry(name, fill(value)))),
    shell,
    integration: 'hook',
    quality: header.quality,
    reason: header.note || `${shell} reports where commands begin and end`,
    fix: null,
  };
}

const NO_ROOM = {
  reason: 'no disk has room for the file that starts the hook: everything it prints is one card',
  fix: 'make room on the disk and restart the shell',
} as const;

/** `/usr/bin/zsh` and `C:\…\pwsh.exe` give `zsh` and `pwsh`; removes the `-` of a login shell's own name. */
export function shellName(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path;
  return base.replace(/^-/, '').replace(/\.exe$/i, '');
}

/** Paths that a header may refer to. */
type HookPaths = Record<'hook' | 'hooksDir' | 'nonceFile', string>;

/** Encodes a path to letters, digits and `%`, which have no meaning in any shell. */
export function inUrl(path: string): string {
  return encodeURIComponent(path).replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function plainPlan({ shellPath, hooks, login }: LaunchRequest, shell: string): LaunchPlan {
  const served = [...new Set(hooks.flatMap(({ header }) => header.shells))].join(', ');
  return {
    file: shellPath,
    args: login ? ['-l'] : [],
    env: {},
    shell,
    integration: 'none',
    quality: 'none',
    reason: `no hook for ${shell}: everything it prints is one card`,
    fix: served === '' ? null : `use ${served} to get a card for each command`,
  };
}

function fillIn(
  text: string,
  hook: string,
  { hooksDir, nonceFile, env }: LaunchRequest & { nonceFile: string },
): string | null {
  const paths: HookPaths = { hook, hooksDir, nonceFile };
  let missing = false;
  const filled = text.replace(PLACEHOLDER, (_, name?: keyof HookPaths, url?: string, variable?: string) => {
    if (name !== undefined) return url === undefined ? paths[name] : inUrl(paths[name]);
    const value = env[variable ?? ''];
    if (value === undefined) missing = true;
    return value ?? '';
  });
  return missing ? null : filled;
}

function entry(name: string, value: string | null): [string, string][] {
  return value === null ? [] : [[name, value]];
}
