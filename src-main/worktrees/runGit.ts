import { execFile } from 'node:child_process';
import { type Env, isSafe, refsFolder, SAFE_ARGS, safeEnv } from '../projects/readProject.ts';
import type { WorkTree } from '../store/record/gitBranch.ts';

/** A checkout of a large repository on a slow disk takes this long at most. */
const LIMIT_MS = 120_000;
const MAX_BYTES = 4 * 1024 * 1024;

export interface GitRun {
  readonly isOk: boolean;
  readonly text: string;
  /** Git's error message, on one line. */
  readonly error: string;
}

/** True if git can run there without starting a program that the repository names. */
export async function canRunGit(tree: WorkTree): Promise<boolean> {
  return isSafe(tree.gitFolder, await refsFolder(tree));
}

/** Runs git in a work tree for which `canRunGit` holds. Hooks do not run. Never rejects. */
export function runGit({ root }: WorkTree, args: readonly string[], env: Env): Promise<GitRun> {
  return new Promise((done) => {
    execFile(
      'git',
      [...SAFE_ARGS, '-C', root, ...args],
      { env: safeEnv(env), timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES, windowsHide: true },
      (error, text, stderr) => done({ isOk: !error, text, error: lineOf(stderr || error?.message || '') }),
    );
  });
}

function lineOf(text: string): string {
  return text
    .replace(/^(?:fatal|error): /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
