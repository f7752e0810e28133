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

/** The person's own terminal. It answers the program's queries, so ours does not. */
export interface OuterTerminal {
  readonly size: { cols: number; rows: number };
  /**
   * Gets exactly the recorded bytes, in the order of recording, and owns them. `eachToken` visits their tokens; call it at most once, before
   * this returns, and for all bytes or for none.
   */
  show(bytes: Uint8Array, eachToken: (visit: TokenVisitor) => void): void;
  /** Listens until the result is disposed. */
  listen(on: {
    typed(bytes: Uint8Array): void;
    resized(): void;
    /** The person's terminal is gone, or this process must end. */
    ending(): void;
  }): IDisposable;
}

export interface ProgramSpec {
  dataFolder: string;
  /** Program and arguments, from which `deps.launch` plans the start. */
  argv: readonly string[];
  shell: string;
  cwd: string;
  name: string | null;
}

export interface RecordedProgram {
  id: string;
  exit: PtyExit;
  /** What could not be written meanwhile, as text; null if the record is complete. */
  fault: string | null;
}

/**
 * Runs a program on the outer terminal and records it as its own terminal, while another core may have the data folder: the
 * folder's writer mark keeps that core away. Resolves when the program has exited and everything is on disk. Throws if it cannot start.
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

/** A record that shows its bytes as soon as it contains them. */
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
    const own = new Uint8Array(bytes); // the caller reuses its buffer before a slow terminal has taken the bytes
    this.#outer.show(own, (visit) => this.#tokens.scan(own, visit));
    return offset;
  }
}

/** Reports the exit after the terminal has received it, so that its blocks are closed by then. */
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
