import { join } from 'node:path';
import type { SystemInfo } from '../../contract/api.ts';
import type { Block, StyledLine } from '../../contract/block.ts';
import { type CoreStatus, EARLIER_STATUS } from '../../contract/coreStatus.ts';
import type { TerminalView } from '../../contract/terminal.ts';
import type { CoreAddress } from '../../hosts/web/coreAddress.ts';
import { NOT_CONNECTED, OUTCOME_UNKNOWN } from '../../shared/machineIds.ts';
import { readSmall } from '../../store/files/readPiece.ts';
import { readLock } from '../../store/instance/lockFile.ts';
import type { RetentionLimits } from '../../store/record/retention.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

type Connection = ReturnType<typeof import('../../hosts/web/connectCore.ts').connectCore>;

/** A healthy core answers in milliseconds, a busy one within a second. */
const ANSWER_TIMEOUT_MS = 5_000;
/** The API's own limit for one page of blocks, and for one page of lines. */
const MAX_PAGE = 10_000;
const MAX_LINES = 2_000;

/** The terminal is on another machine that is not connected, or whose connection was lost before the answer. */
export class UnreachedMachine extends CliError {
  constructor(reason: string) {
    super(reason, EXIT.unavailable);
  }
}

export type CoreFound =
  | { status: 'none' }
  /** A process holds the data folder but does not answer. */
  | { status: 'silent'; pid: number; reason: string }
  | { status: 'ok'; core: LiveCore };

/** The running core of a data folder, over its Unix socket. The owner disposes it. */
export class LiveCore implements IDisposable {
  readonly pid: number;
  readonly info: SystemInfo;
  readonly #connection: Connection;

  private constructor(pid: number, info: SystemInfo, connection: Connection) {
    this.pid = pid;
    this.info = info;
    this.#connection = connection;
  }

  static async find(dataFolder: string): Promise<CoreFound> {
    const lock = readLock(dataFolder);
    if (!lock) return { status: 'none' };
    const address = await readAddress(dataFolder, lock.pid);
    if (typeof address === 'string') return { status: 'silent', pid: lock.pid, reason: address };
    // Imported here, because it loads the WebSocket client, which is useless without a running core. The same is true for the address.
    const { connectCore } = await import('../../hosts/web/connectCore.ts');
    const connection = connectCore(address);
    try {
      const info = await inTime(connection.api.system.info.query());
      return { status: 'ok', core: new LiveCore(lock.pid, info, connection) };
    } catch (error) {
      connection.dispose();
      return { status: 'silent', pid: lock.pid, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  /** For calls without a method here; the caller limits the time. */
  get connection(): Connection {
    return this.#connection;
  }

  dispose(): void {
    this.#connection.dispose();
  }

  /** The terminals in tabs, in the order of the tabs. */
  terminals(): Promise<TerminalView[]> {
    const all = new Promise<TerminalView[]>((resolve, reject) => {
      const following = this.#connection.api.terminal.onChange.subscribe(undefined, {
        onData: (change) => {
          if (change.type !== 'all') return;
          resolve(change.terminals);
          following.unsubscribe();
        },
        onError: reject,
      });
    });
    return this.#ask(all);
  }

  /** The newest `limit` blocks before `beforeSeq`, in the order of seq. Only for a terminal in a tab. */
  blocks(terminalId: string, limit: number, beforeSeq?: number): Promise<{ blocks: Block[]; more: boolean }> {
    const query = { terminalId, limit: Math.min(limit, MAX_PAGE), ...(beforeSeq !== undefined && { beforeSeq }) };
    return this.#ask(this.#connection.api.block.page.query(query));
  }

  /** The text of a block so far, a line at a time. */
  async *lines({ terminalId, id: blockId }: Block): AsyncGenerator<string> {
    for (let from = 0; ; from += MAX_LINES) {
      const { lines } = await this.#ask(
        this.#connection.api.block.lines.query({ terminalId, blockId, from, count: MAX_LINES }),
      );
      for (const line of lines) yield plainText(line);
      if (lines.length < MAX_LINES) return;
    }
  }

  async status(): Promise<CoreStatus> {
    return { ...EARLIER_STATUS, ...(await this.#ask(this.#connection.api.system.status.query())) };
  }

  /**
   * Asks the core to end; with `keepsShells` its shells stay for the next core. Its lock shows when it has ended, because it may end before it can
   * answer.
   */
  async end(how: { keepsShells: boolean } = { keepsShells: false }): Promise<void> {
    const { api, lost } = this.#connection;
    await Promise.race([api.system.end.mutate(how), lost]).catch(() => undefined);
  }

  /** Moves terminals beyond `limits` to the trash. Has no timeout, because the survey of ten gigabytes is slow. */
  tidy(limits: RetentionLimits, isAsked: boolean) {
    return this.#connection.api.record.tidy.mutate({ ...limits, isAsked });
  }

  /** Restores from the trash: one terminal, or all. */
  restore(id: string | null) {
    return this.#connection.api.record.restore.mutate({ id });
  }

  /** Deletes everything in the trash permanently. */
  emptyTrash() {
    return this.#connection.api.record.emptyTrash.mutate({});
  }

  /** Starts compression in the core's background. */
  compress(): Promise<void> {
    return this.#ask(this.#connection.api.record.compress.mutate({}));
  }

  /** Opens a tab for a terminal without one. */
  openRecorded(id: string): Promise<TerminalView> {
    return this.#ask(this.#connection.api.recording.open.mutate({ id }));
  }

  open(cwd: string): Promise<TerminalView> {
    return this.#ask(this.#connection.api.terminal.open.mutate({ cwd, cols: 120, rows: 40 }));
  }

  async #ask<T>(answer: Promise<T>): Promise<T> {
    try {
      return await inTime(answer);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isOfMachine(error)) throw new UnreachedMachine(reason);
      throw new CliError(`the running Hansard (process ${this.pid}) could not answer: ${reason}`, EXIT.unavailable);
    }
  }
}

/** The current core.json, or why it cannot be used. A read for display must not move a bad file away. */
async function readAddress(dataFolder: string, owner: number): Promise<CoreAddress | string> {
  const path = join(dataFolder, 'core.json');
  const { CoreAddress, inFolder } = await import('../../hosts/web/coreAddress.ts');
  try {
    const address = inFolder(dataFolder, CoreAddress.parse(JSON.parse(await readSmall(path))));
    return address.pid === owner ? address : 'it is just starting';
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? 'it does not say where it listens (no core.json)' : `${path} cannot be read`;
  }
}

/** Whether the core could not reach the machine of a terminal. */
export function isOfMachine(error: unknown): boolean {
  const code = codeOf(error);
  return code === NOT_CONNECTED || code === OUTCOME_UNKNOWN;
}

/** The code of a tRPC error. Its class is not imported, because the client loads only with a running core. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('data' in error)) return '';
  const { data } = error;
  return typeof data === 'object' && data !== null && 'code' in data ? String(data.code) : '';
}

function plainText({ spans }: StyledLine): string {
  return spans.map(({ text }) => text).join('');
}

export async function inTime<T>(answer: Promise<T>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
