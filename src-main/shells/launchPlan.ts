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
  /** Absolute path of the file that will hold the nonce; null where no disk takes one: the shell then starts without its hook. */
  nonceFile: string | null;
  login: boolean;
  /** The environment that the shell will get, before our additions. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface LaunchPlan {
  file: string;
  /** Arguments without the program's name, as node-pty takes them. */
  args: string[];
  /** To be set over the environment. */
  env: Record<string, string>;
  /** The program's base name, such as `zsh`. */
  shell: string;
  integration: 'hook' | 'none';
  /** What the hook promises at best; `none` without one. */
  quality: 'none' | 'basic' | 'rich';
  /** Why it is so, for people. */
  reason: string;
  /** One line that mends it, null when nothing is to mend. */
  fix: string | null;
}

const PLACEHOLDER = /\{(?:(hook|hooksDir|nonceFile)(\.url)?|env\.([A-Za-z_][A-Za-z0-9_]*))\}/g;

/**
 * How a program is started so that its hook is read. In `args` and `env` of a header stand `{hook}` (the hook's path),
 * `{hooksDir}`, `{nonceFile}` (each also as in a URL: `{hook.url}`) and `{env.NAME}`; an entry that names a variable which is not set is left out.
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

/** `/usr/bin/zsh` and `C:\…\pwsh.exe` give `zsh` and `pwsh`; the `-` of a login shell's own name is no part of it. */
export function shellName(path: string): string {
  const base = path.split(/[\\/]/).at(-1) ?? path;
  return base.replace(/^-/, '').replace(/\.exe$/i, '');
}

/** The paths that a header names. */
type HookPaths = Record<'hook' | 'hooksDir' | 'nonceFile', string>;

/** Letters, digits and `%`, which no shell takes for anything else. */
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
