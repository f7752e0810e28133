import { randomBytes } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { Notices } from '../notices/Notices.ts';
import { sameTerminalEnv } from '../pty/childEnv.ts';
import { type OuterTerminal, type RecordedProgram, recordProgram } from '../recordings/recordProgram.ts';
import { ScreenHost } from '../screen/worker/ScreenHost.ts';
import { shellName } from '../shells/launchPlan.ts';
import { ensurePrivateFolder } from '../store/instance/dataFolder.ts';
import { HookLoader } from '../terminal/HookLoader.ts';
import { ShellCatalog } from '../terminal/ShellCatalog.ts';
import type { Launch } from '../terminal/TerminalDeps.ts';
import { systemClock } from '../util/Clock.ts';
import { toDisposable } from '../util/Disposables.ts';
import { silentLog } from '../util/Log.ts';
import { findAppFiles } from './appFiles.ts';
import { createFileLog } from './logFile.ts';
import { recordedTerminal } from './recordedTerminal.ts';
import { surviveErrors } from './surviveErrors.ts';

export interface RecordSpec {
  dataFolder: string;
  /** Empty: the person's shell. */
  command: readonly string[];
  name: string | null;
}

/** Records a program on the current terminal, in this process. Throws the system's error if the program cannot be started. */
export async function recordHere(spec: RecordSpec, outer: OuterTerminal): Promise<RecordedProgram> {
  const { dataFolder } = spec;
  ensurePrivateFolder(dataFolder);
  const env = sameTerminalEnv(process.env);
  const shells = new ShellCatalog({ hooksDir: findAppFiles().hooksDir, env: process.env });
  const { path } = shells.choose(spec.command[0] === undefined ? (env.SHELL ?? '') : findProgram(spec.command[0], env));
  const argv = [path, ...spec.command.slice(1)];
  const screens = new ScreenHost({ workerUrl: findAppFiles().screenWorker, log: silentLog, clock: systemClock });
  const notices = new Notices();
  const survival = surviveErrors({ log: createFileLog(dataFolder), notices, clock: systemClock });
  try {
    const hookLoader = new HookLoader({ shells, folder: join(dataFolder, 'run'), clock: systemClock, randomId });
    const own = { hookLoader, screens, notices, randomId, launch: () => launch(argv, hookLoader, env) };
    const deps = recordedTerminal(dataFolder, own);
    const program = { dataFolder, argv, shell: shellName(path), cwd: process.cwd(), name: spec.name };
    return await recordProgram(program, outer, deps);
  } finally {
    screens.dispose();
    survival.dispose();
  }
}

/** A shell without arguments gets its hook; a command with arguments is started unchanged. */
function launch(argv: readonly string[], hookLoader: HookLoader, env: Record<string, string>): Launch {
  const [file = '', ...args] = argv;
  const nonce = `Zj${randomId(16)}`;
  if (args.length === 0) {
    const { plan, nonceFile } = hookLoader.plan(file, nonce, env);
    return { nonce, nonceFile, plan, env: { ...env, ...plan.env } };
  }
  const reason = 'a program with arguments is recorded as one card';
  const plan = {
    file,
    args,
    env: {},
    shell: shellName(file),
    integration: 'none',
    quality: 'none',
    reason,
    fix: null,
  } as const;
  return { nonce, nonceFile: toDisposable(() => undefined), plan, env };
}

/** Searches PATH as a shell does. Returns an unknown name unchanged, so that the error names it. */
function findProgram(name: string, env: Record<string, string>): string {
  if (name.includes('/')) return name;
  return (
    (env.PATH ?? '')
      .split(':')
      .map((folder) => join(folder, name))
      .find(isProgram) ?? name
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // missing or not executable: try the next folder of PATH
  }
}

function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
