import { execFile } from 'node:child_process';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { MachineQuestion } from '../../contract/machines.ts';
import { ensurePrivateFolder } from '../../store/instance/dataFolder.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { detach } from '../../util/strayErrors.ts';

const MAX_TEXT_CHARS = 2_000;
/** Timeout of writing an answer, so that a pipe which ssh no longer reads does not block. */
const WRITE_TIMEOUT_MS = 5_000;

/**
 * The script that ssh runs for each question. Not every front can start a program of ours, but ssh can run a shell script. It passes the question on
 * as a file and waits for the answer in a pipe that only this user can access. Without an answer, or with "no", it fails and ssh continues without
 * one. It ends the wait itself if ssh or this process was killed.
 */
const SCRIPT = `#!/bin/sh
umask 077
cd "$HANSARD_ASKPASS" || exit 1
mkfifo "$$.answer" || exit 1
(while kill -0 "$PPID" && kill -0 "$HANSARD_CORE"; do sleep 2; done; echo no >"$$.answer") >/dev/null 2>&1 &
trap "kill $! 2>/dev/null; rm -f $$.answer $$.question" EXIT
printf '%s\\n%s' "$SSH_ASKPASS_PROMPT" "$1" >"$$.part" && mv "$$.part" "$$.question"
IFS= read -r verdict <"$$.answer" || exit 1
case $verdict in yes*) printf '%s\\n' "\${verdict#yes }" ;; *) exit 1 ;; esac
`;

export interface SshQuestion extends MachineQuestion {
  readonly kind: 'secret' | 'confirm';
}

/** The questions of one ssh process, in a folder shared with its askpass script. The owner disposes it. */
export class AskPass implements IDisposable {
  readonly #folder: string;
  readonly #watcher: FSWatcher;
  readonly #onQuestion: (question: SshQuestion | null) => void;
  readonly #seen = new Set<string>();
  #open: string | null = null;
  #isDisposed = false;

  private constructor(folder: string, onQuestion: (question: SshQuestion | null) => void) {
    this.#folder = folder;
    this.#onQuestion = onQuestion;
    this.#watcher = watch(folder, () => detach('AskPass', this.#look()));
    this.#watcher.on('error', () => undefined); // the folder was removed: ssh gets no answer, which means no
  }

  /** `folder`: private to this process, created here. `onQuestion` is called with each question, and with null when it is no longer open. */
  static async open(folder: string, onQuestion: (question: SshQuestion | null) => void): Promise<AskPass> {
    ensurePrivateFolder(dirname(folder)); // among the runtime files it could belong to another user, who could read the answers
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'ask'), SCRIPT, { mode: 0o700 });
    return new AskPass(folder, onQuestion);
  }

  /** Environment that makes ssh ask here, with or without a terminal. */
  get env(): Record<string, string> {
    return {
      ...{ SSH_ASKPASS: join(this.#folder, 'ask'), SSH_ASKPASS_REQUIRE: 'force' },
      ...{ HANSARD_ASKPASS: this.#folder, HANSARD_CORE: String(process.pid), DISPLAY: process.env.DISPLAY ?? ':0' },
    };
  }

  /** False if that question is not open. */
  async answer(id: string, text: string | null): Promise<boolean> {
    if (this.#open !== id) return false;
    this.#open = null;
    this.#onQuestion(null);
    const line = text === null ? 'no' : `yes ${text.replace(/[\r\n]/g, '')}`;
    // By a child: opening a pipe that ssh has left would block one of our threads for good. Where the pipe is gone, no file may have the answer.
    const script = '[ -p "$1" ] && exec cat >"$1"';
    const writing = promisify(execFile)('/bin/sh', ['-c', script, 'sh', join(this.#folder, `${id}.answer`)], {
      timeout: WRITE_TIMEOUT_MS,
    });
    const { stdin } = writing.child;
    stdin?.on('error', () => undefined); // ssh has ended meanwhile
    stdin?.end(`${line}\n`);
    await writing.catch(() => undefined); // may fail as described above
    return true;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher.close();
    if (this.#open !== null) this.#onQuestion(null);
    this.#open = null;
    detach('AskPass', rm(this.#folder, { recursive: true, force: true }));
  }

  async #look(): Promise<void> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    if (this.#open !== null && !names.includes(`${this.#open}.question`)) {
      this.#open = null; // ssh has ended or stopped waiting
      this.#onQuestion(null);
    }
    for (const name of names) {
      const id = /^(\d+)\.question$/.exec(name)?.[1];
      if (id === undefined || this.#seen.has(id)) continue;
      this.#seen.add(id);
      const asked = await readFile(join(this.#folder, name), 'utf8').catch(() => null);
      if (asked === null || this.#isDisposed) continue; // ssh has ended meanwhile
      const [hint = '', ...lines] = asked.split('\n');
      this.#open = id;
      this.#onQuestion({ id, kind: kindOf(hint, lines.join('\n')), text: plainText(lines.join('\n')) });
    }
  }
}

/** ssh passes `confirm` or `none` only for some questions; a host key's question ends with its choices and is answered in words. */
function kindOf(hint: string, text: string): 'secret' | 'confirm' {
  return hint === 'confirm' || /\(yes\/no(?:\/\[fingerprint\])?\)/.test(text) || /[`']yes'/.test(text)
    ? 'confirm'
    : 'secret';
}

/** The text of a question, parts of which may come from the remote side. */
export function plainText(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]/gu, '�')
    .trim();
}
