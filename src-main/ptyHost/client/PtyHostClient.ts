import { setTimeout as sleep } from 'node:timers/promises';
import type { PtyProcess, PtySpec, SpawnPty } from '../../pty/PtyProcess.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { detach } from '../../util/strayErrors.ts';
import type { HeldTerminal, ToCore } from '../protocol/messages.ts';
import { SERVED_VERSIONS } from '../protocol/messages.ts';
import type { Stretch } from './FollowedOutput.ts';
import { HostedPty } from './HostedPty.ts';
import { HostLink, type Received } from './HostLink.ts';

/** A host starts within 100 ms on an idle machine. */
const START_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 10;
const ANSWER_WITHIN_MS = 10_000;

export interface HostClientSpec {
  readonly socketPath: string;
  /** Key by which the host recognizes this core, see `renewKey`. */
  readonly key: string;
  /** Starts a host, see `launchHost`; null if this process cannot: then only a running one is used. */
  readonly launch: (() => Promise<string>) | null;
  /** Starts a shell in this process if the host cannot. */
  readonly spawnHere: SpawnPty;
  /** Time limit for the answer of a running host; a stopped one never answers. */
  readonly answerWithinMs?: number;
}

const NO_BYTES = new Uint8Array(0);

const LOST =
  'The PTY host ended, perhaps because memory ran out, and so did its shells. Until you restart Hansard, new shells end with it.';

/** `text` is a sentence for the person. */
export interface HostTrouble {
  readonly terminalId: string | null;
  readonly text: string;
}

type Welcome = Extract<ToCore, { type: 'welcome' }>;

/** A core's side of the PTY host: starts shells there, and takes running ones over. */
export class PtyHostClient implements IDisposable {
  readonly #link: HostLink;
  readonly #welcome: Welcome;
  readonly #spawnHere: SpawnPty;
  readonly #shells = new Map<string, HostedPty>();
  /** Messages for shells that are not taken over yet. */
  readonly #early: Map<string, Received[]>;
  readonly #troubles = new Emitter<HostTrouble>();
  /** Timers by terminal id, until the host reports that it started the shell. */
  readonly #unanswered = new Map<string, NodeJS.Timeout>();
  readonly #answerWithinMs: number;
  /** Read once, because this process changes its umask for a moment while it opens a socket. */
  readonly #umask = process.umask();
  #isLeft = false;
  /** The host could not start a shell, does not answer, or is gone. */
  readonly onTrouble = this.#troubles.on;

  private constructor(link: HostLink, welcome: Welcome, spec: Pick<HostClientSpec, 'spawnHere' | 'answerWithinMs'>) {
    this.#link = link;
    this.#welcome = welcome;
    this.#spawnHere = spec.spawnHere;
    this.#answerWithinMs = spec.answerWithinMs ?? ANSWER_WITHIN_MS;
    this.#early = new Map(welcome.terminals.map(({ id }) => [id, []]));
    link.onReceived(({ message, bytes }) => this.#take(message, bytes));
    link.onClosed(() => this.#lost());
  }

  /** Connects to the running host, or starts one. Rejects with a sentence if there is none. */
  static async start({
    socketPath,
    key,
    launch,
    spawnHere,
    answerWithinMs = ANSWER_WITHIN_MS,
  }: HostClientSpec): Promise<PtyHostClient> {
    const link = await connect(socketPath, launch);
    const welcomed = new Promise<PtyHostClient>((resolve, reject) => {
      const first = link.onReceived(({ message }) => {
        first.dispose();
        // within this call, because the next messages may have come with this one
        if (message.type === 'welcome') resolve(new PtyHostClient(link, message, { spawnHere, answerWithinMs }));
        else reject(refusalOf(message));
      });
      link.onClosed(() => reject(new Error('it did not answer')));
    });
    link.send({ type: 'hello', versions: SERVED_VERSIONS, key, countsAnswers: true });
    const waiting = setTimeout(() => link.abandon(), answerWithinMs);
    try {
      return await welcomed;
    } catch (error) {
      link.abandon();
      throw error;
    } finally {
      clearTimeout(waiting);
    }
  }

  /** False after the host is gone: shells are then started in this process. */
  get isUp(): boolean {
    return this.#link.isUp;
  }

  /** Shells that ran, or had exited, when this core started. */
  get held(): readonly HeldTerminal[] {
    return this.#welcome.terminals;
  }

  /** Note of the core before this one. */
  get note(): string | null {
    return this.#welcome.note;
  }

  /** Keeps a note for the next core, only in the host's memory. */
  remember(note: string): void {
    this.#link.send({ type: 'remember', note });
  }

  /** Call before `dispose` if no core is expected after this one. */
  last(): void {
    this.#link.send({ type: 'last' });
  }

  readonly spawn: SpawnPty = (spec: PtySpec): PtyProcess => {
    if (!spec.output || !this.#link.isUp) return this.#spawnHere(spec);
    const { output, file, argv, cwd, env, cols, rows } = spec;
    const { terminalId: id, ...recording } = output;
    const shell = this.#add(new HostedPty(this.#link, { id, ...recording }), id);
    this.#link.send({ type: 'open', id, file, argv, cwd, env, cols, rows, ...recording, umask: this.#umask });
    clearTimeout(this.#unanswered.get(id));
    const waiting = setTimeout(
      () => this.#troubles.fire({ terminalId: id, text: this.#silence() }),
      this.#answerWithinMs,
    );
    this.#unanswered.set(id, waiting);
    return shell;
  };

  /**
   * Takes over a shell: reads `stretches` first, then the output since `start` and new output. They end at the end of the host's file
   * then. Emits nothing before a later turn.
   */
  adopt(held: HeldTerminal, folder: string, stretches: readonly Stretch[]): PtyProcess {
    const { id, pid, refusedFrom = held.end } = held;
    const offset = stretches[0]?.from ?? refusedFrom;
    const shell = this.#add(new HostedPty(this.#link, { id, pid, folder, offset }), id);
    shell.catchUp(stretches);
    setImmediate(() => this.#handOver(shell, held));
    return shell;
  }

  /** Hangs up on a shell that no core can adopt. */
  abandon({ id, exit }: HeldTerminal): void {
    this.#early.delete(id);
    if (!exit) this.#link.send({ type: 'kill', id, signal: 'SIGHUP' });
    this.#link.send({ type: 'forget', id });
  }

  /** Leaves the host, which ends unless shells run in it. */
  dispose(): void {
    this.#isLeft = true;
    this.#stopWaiting();
    this.#link.dispose();
    this.#troubles.dispose();
  }

  #add(shell: HostedPty, id: string): HostedPty {
    this.#shells.set(id, shell);
    shell.onExit(() => {
      if (this.#shells.get(id) === shell) this.#shells.delete(id);
    });
    return shell;
  }

  #take(message: ToCore, bytes: Uint8Array): void {
    if (!('id' in message)) return;
    if (message.type === 'opened' || message.type === 'refused') this.#stopWaiting(message.id);
    if (message.type === 'refused')
      this.#troubles.fire({ terminalId: message.id, text: `A shell could not be started: ${message.reason}.` });
    const early = this.#early.get(message.id);
    if (early) early.push({ message, bytes: Uint8Array.from(bytes) });
    else this.#shells.get(message.id)?.take(message, bytes);
  }

  /** The receiver of a shell's output listens now and gets the kept messages. */
  #handOver(shell: HostedPty, { id, exit, faults, gaps }: HeldTerminal): void {
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    for (const [file, reason] of Object.entries(faults)) shell.take({ type: 'fault', id, file, reason }, NO_BYTES);
    for (const gap of gaps) shell.take({ type: 'gap', id, gap }, NO_BYTES);
    for (const { message, bytes } of early) if ('id' in message) shell.take(message, bytes);
    if (exit) shell.ended(exit);
    else if (!this.#link.isUp) shell.lost();
  }

  /** The host's shells are gone too, because their PTYs were closed. */
  #lost(): void {
    if (this.#isLeft) return;
    this.#stopWaiting();
    for (const shell of this.#shells.values()) shell.lost();
    this.#troubles.fire({ terminalId: null, text: LOST });
  }

  #stopWaiting(...ids: string[]): void {
    for (const id of ids.length > 0 ? ids : this.#unanswered.keys()) {
      clearTimeout(this.#unanswered.get(id));
      this.#unanswered.delete(id);
    }
  }

  #silence(): string {
    const { pid } = this.#welcome;
    return `The PTY host (process ${pid}) has not started a shell for ${this.#answerWithinMs / 1000} seconds. If it hangs, \`kill -9 ${pid}\` ends it and all shells.`;
  }
}

function refusalOf(message: ToCore): Error {
  if (message.type === 'denied') return new Error(`it refuses this core: ${message.reason}`);
  const versions = message.type === 'unserved' ? message.versions.join(', ') : 'unknown';
  return new Error(`it speaks other versions (${versions}) and ends with its last shell`);
}

async function connect(path: string, launch: HostClientSpec['launch']): Promise<HostLink> {
  const running = await HostLink.connect(path).catch(() => null); // usually there is none
  if (running) return running;
  if (!launch) throw new Error('no PTY host runs');
  let failure: string | null = null;
  const launched = launch().then((reason) => {
    failure = reason;
  });
  detach('PtyHostClient', launched);
  for (const until = Date.now() + START_WITHIN_MS; ; ) {
    const link = await HostLink.connect(path).catch(() => null); // not yet
    if (link) return link;
    if (failure !== null) throw new Error(failure);
    if (Date.now() > until) throw new Error(`it did not start within ${START_WITHIN_MS / 1000} seconds`);
    await sleep(LOOK_EVERY_MS);
  }
}
