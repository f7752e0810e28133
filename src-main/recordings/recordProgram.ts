import type { TerminalMeta } from '../contract/terminal.ts';
import { ControlTokens, type TokenVisitor } from '../events/ControlTokens.ts';
import type { PtyExit, PtyProcess } from '../pty/PtyProcess.ts';
import { markWriter } from '../store/instance/writerMark.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { BlockStore } from '../terminal/blocks/BlockStore.ts';
import { PtyInstance } from '../terminal/PtyInstance.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import { TerminalRecord } from '../terminal/TerminalRecord.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';

/** The terminal that somebody sits at. It answers the program's questions, so ours does not. */
export interface OuterTerminal {
  readonly size: { cols: number; rows: number };
  /**
   * Exactly what the record has, in the order it was recorded. `bytes` are the terminal's own. `eachToken` visits what they are; it is to be
   * called once, before this returns.
   */
  show(bytes: Uint8Array, eachToken: (visit: TokenVisitor) => void): void;
  /** Listens until the result is disposed. */
  listen(on: {
    typed(bytes: Uint8Array): void;
    resized(): void;
    /** The person's terminal is gone, or this process is to end. */
    ending(): void;
  }): IDisposable;
}

export interface ProgramSpec {
  dataFolder: string;
  /** Program and arguments; what `deps.launch` makes of them is started. */
  argv: readonly string[];
  shell: string;
  cwd: string;
  name: string | null;
}

export interface RecordedProgram {
  id: string;
  exit: PtyExit;
  /** What could not be written while it ran, in words; null when the record is whole. */
  fault: string | null;
}

/**
 * Runs a program on the outer terminal and records it as a terminal of its own, next to whatever core has the data folder: the
 * folder's mark keeps the core away from it. Resolves when the program has ended and all is on disk. Throws when it cannot start.
 */
export async function recordProgram(
  spec: ProgramSpec,
  outer: OuterTerminal,
  deps: TerminalDeps,
): Promise<RecordedProgram> {
  const meta = metaOf(spec, outer, deps);
  const folder = new SessionFolder(spec.dataFolder, meta.id);
  folder.create();
  const mark = markWriter(folder);
  const { promise: ended, resolve } = Promise.withResolvers<PtyExit>();
  const launch = deps.launch(meta);
  const spawnPty = spawnWatched(deps, resolve);
  const watched = { ...deps, answersQueries: false, spawnPty, launch: () => launch };
  const record = new ShownRecord(folder, { meta, rawSize: 0 }, { ...deps, outer });
  const terminal = new PtyInstance(watched, record, new BlockStore(watched, record, { nextSeq: 1 }));
  let fault: string | null = null;
  record.onFault((reason) => {
    fault ??= reason;
  });
  let listening: IDisposable | null = null;
  try {
    terminal.start();
    if (launch.plan.integration === 'none') terminal.book.noMarks(nowOf(deps));
    listening = outer.listen({
      typed: (bytes) => terminal.type(bytes),
      resized: () => terminal.resize(outer.size),
      ending: () => detach('recordProgram', terminal.close()),
    });
    return { id: meta.id, exit: await ended, fault };
  } finally {
    listening?.dispose();
    await terminal.book.texts.settled();
    await terminal.close();
    mark.dispose();
  }
}

/** A record whose bytes are shown as soon as they are in it. */
class ShownRecord extends TerminalRecord {
  readonly #outer: OuterTerminal;
  readonly #tokens = new ControlTokens();

  constructor(
    folder: SessionFolder,
    from: ConstructorParameters<typeof TerminalRecord>[1],
    deps: TerminalDeps & { outer: OuterTerminal },
  ) {
    super(folder, from, deps);
    this.#outer = deps.outer;
  }

  override append(bytes: Uint8Array): number {
    const offset = super.append(bytes);
    const own = Uint8Array.from(bytes); // the caller's buffer is used again before a slow terminal has taken it
    this.#outer.show(own, (visit) => this.#tokens.scan(own, visit));
    return offset;
  }
}

/** Tells of the exit after the terminal has heard of it, so that its blocks are closed by then. */
function spawnWatched({ spawnPty }: TerminalDeps, ended: (exit: PtyExit) => void): TerminalDeps['spawnPty'] {
  return (spec): PtyProcess => {
    const process = spawnPty(spec);
    process.onExit((exit) => setImmediate(ended, exit));
    return process;
  };
}

function nowOf({ clock }: TerminalDeps): { atMs: number; monoMs: number } {
  return { atMs: clock.nowMs(), monoMs: clock.monotonicMs() };
}

function metaOf({ argv, shell, cwd, name }: ProgramSpec, { size }: OuterTerminal, deps: TerminalDeps): TerminalMeta {
  const nowMs = deps.clock.nowMs();
  return {
    version: 1,
    id: `t${nowMs.toString(36)}-${deps.randomId(4)}`,
    shell,
    argv: [...argv],
    cwd,
    ...size,
    createdMs: nowMs,
    title: '',
    ...(name !== null && { name }),
    origin: 'record',
  };
}
