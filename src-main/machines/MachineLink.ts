import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MACHINE_PROTOCOL, type MachineView, type StdioHello } from '../contract/machines.ts';
import { later } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import { detach } from '../util/strayErrors.ts';
import type { LinkSpec } from './LinkSpec.ts';
import { pingUntilSilent } from './pingUntilSilent.ts';
import { type CallType, MachineError, type RemoteApi, type RemoteListener } from './RemoteApi.ts';
import { RemoteKeys, type WritePath } from './RemoteKeys.ts';
import { notCopied, otherVersion } from './RemoteSide.ts';
import { type MachineEvent, type MachineStatus, MUTE_MS, reduceMachine } from './reduceMachine.ts';
import { RemoteInfo } from './remoteShapes.ts';
import { AskPass } from './ssh/AskPass.ts';
import type { SshEnd } from './ssh/explainEnd.ts';
import { runSsh, SshConnection } from './ssh/SshConnection.ts';
import { besideArguments, connectArguments } from './ssh/sshArguments.ts';
import { watchRetry } from './watchRetry.ts';

/** Timeout of the first answer of a core that accepted the connection. */
const ANSWER_MS = 30_000;
/** Timeout for ssh to end by itself if the other side sent no valid hello. */
const END_MS = 3_000;
const ENDED: SshEnd = { reason: 'The connection was ended.', isFinal: true };
/** Timeout of the list of terminals: a window that sees a machine as connected must also see its open terminals. */
const LISTED_MS = 3_000;

/** The connection to one machine, while it is wanted. The owner disposes it. */
export class MachineLink implements IDisposable {
  readonly #spec: LinkSpec;
  readonly #keys: RemoteKeys;
  readonly #changed = new Emitter<MachineStatus>();
  readonly #ups = new Emitter<RemoteApi>();
  #status: MachineStatus;
  #api: RemoteApi | null = null;
  #attempt: AbortController | null = null;
  #answer: ((text: string | null) => Promise<boolean>) | null = null;
  #retrying: IDisposable | null = null;
  #controlPath = '';
  /** The connection stays open until this has settled, even if the core there ends meanwhile. */
  removing: Promise<unknown> = Promise.resolve();

  readonly onChange = this.#changed.on;
  /** Fires with each new connection. */
  readonly onUp = this.#ups.on;

  constructor(spec: LinkSpec) {
    this.#spec = spec;
    this.#keys = new RemoteKeys(spec);
    const view: MachineView = {
      ...{ key: spec.key, name: spec.name, state: 'off', reason: null, retryMs: null, question: null, info: null },
      ...{ latencyMs: null, isSlow: false, isCut: false, step: { words: 'ssh', percent: null }, forwards: [] },
    };
    this.#status = { view, tries: 0, wasUp: false };
  }

  get view() {
    return this.#status.view;
  }

  /** Null while it is not connected. */
  get api(): RemoteApi | null {
    return this.#api;
  }

  /** Control path of the current ssh; an earlier one that ends meanwhile removes its own. */
  get controlPath(): string {
    return this.#controlPath;
  }

  /** Connects. `isAgain`: it was connected before, possibly in an earlier run, so a failure is retried. */
  connect({ isAgain = false } = {}): void {
    if (isAgain) this.#status = { ...this.#status, wasUp: true };
    const { state } = this.view;
    if (state === 'connected' || state === 'connecting') return;
    this.#put({ type: 'wanted' });
    this.#retrying?.dispose();
    const dueMs = (): number | null => (this.view.state === 'lost' ? this.view.retryMs : null);
    this.#retrying = watchRetry(this.#spec.clock, dueMs, () => this.connect());
    const attempt = new AbortController();
    this.#attempt = attempt;
    detach('MachineLink', this.#run(attempt));
  }

  disconnect(): void {
    this.#attempt?.abort();
    this.#retrying?.dispose();
    this.#keys.dispose();
    this.#api = null;
    this.#put({ type: 'unwanted' });
  }

  dispose(): void {
    this.disconnect();
    this.#changed.dispose();
    this.#ups.dispose();
  }

  /** False if that question is not open. */
  async answer(id: string, text: string | null): Promise<boolean> {
    return this.view.question?.id === id && this.#answer !== null && (await this.#answer(text));
  }

  /** Rejects with the machine's refusal, or with a MachineError. */
  async call(type: CallType, path: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
    const api = this.#api;
    if (api === null) throw this.#off();
    try {
      return await Promise.race([api.call(type, path, input, signal), api.lost]);
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      const { name } = this.view;
      throw new MachineError('cut', `The connection to ${name} was lost: whether this was done is not known.`);
    }
  }

  /** Keys are sent again after a cut, and typed once. A new connection takes them once it is shown as connected. */
  write(id: string, path: WritePath, data: string): Promise<unknown> {
    return this.view.state === 'connected' ? this.#keys.write(id, path, data) : Promise.reject(this.#off());
  }

  /** Survives lost connections: begins again with each new one, with the current input. */
  subscribe(path: string, input: () => unknown, listener: RemoteListener): { unsubscribe(): void } {
    let running: { unsubscribe(): void } | null = null;
    const begin = (api: RemoteApi): void => {
      running?.unsubscribe();
      running = api.subscribe(path, input(), listener);
    };
    const following = this.onUp(begin);
    if (this.#api) begin(this.#api);
    return {
      unsubscribe: () => {
        following.dispose();
        running?.unsubscribe();
      },
    };
  }

  setForwards(forwards: MachineStatus['view']['forwards']): void {
    this.#put({ type: 'forwards', forwards });
  }

  #off(): MachineError {
    const { name, reason } = this.view;
    return new MachineError('off', `${name} is not connected, so nothing was sent. ${reason ?? ''}`.trim());
  }

  /** Runs one connection from start to end. */
  async #run(attempt: AbortController): Promise<void> {
    const { randomId, folder, clock } = this.#spec;
    let end: SshEnd = ENDED;
    let asks: AskPass | null = null;
    try {
      const opened = await AskPass.open(join(folder, `ask-${randomId(4)}`), (question) => {
        if (attempt.signal.aborted) return; // a later attempt has its own questions
        this.#answer = question && ((text) => opened.answer(question.id, text));
        this.#put({ type: 'asked', question });
      });
      asks = opened;
      const env = { ...this.#spec.env, ...asks.env };
      end = await this.#connect(attempt, env);
    } catch (error) {
      end = { reason: error instanceof Error ? error.message : String(error), isFinal: true };
    } finally {
      asks?.dispose();
    }
    if (attempt.signal.aborted) return;
    attempt.abort(); // ends the waits that nothing awaits any more
    this.#attempt = null;
    this.#api = null;
    this.#keys.down();
    this.#put({ type: 'down', ...end, atMs: clock.nowMs() });
  }

  /** Resolves with why the connection has ended. */
  async #connect(attempt: AbortController, env: NodeJS.ProcessEnv): Promise<SshEnd> {
    if (attempt.signal.aborted) return ENDED;
    this.#put({ type: 'step', words: 'ssh' });
    const { name, remote, folder, key, randomId } = this.#spec;
    const controlPath = join(folder, `${key}-${randomId(2)}`);
    this.#controlPath = controlPath;
    const ssh = new SshConnection(connectArguments(name, controlPath, remote.command), env);
    const abort = (): void => ssh.dispose();
    attempt.signal.addEventListener('abort', abort);
    try {
      const end = await this.#greet(ssh, { attempt, env });
      if (end !== null) return end;
      // Through the connection that is open: another login would ask for passphrases and passwords again
      const beside = new SshConnection(besideArguments(name, controlPath, remote.command), env);
      attempt.signal.addEventListener('abort', () => beside.dispose());
      const again = await this.#greet(beside, { attempt, env }).finally(() => beside.dispose());
      return again ?? ENDED;
    } finally {
      attempt.signal.removeEventListener('abort', abort);
      await this.removing.catch(() => undefined); // its owner handles the error
      ssh.dispose();
      const swept = ssh.ended.then(() => rm(controlPath, { force: true })); // a killed ssh leaves its socket
      detach('MachineLink', swept);
    }
  }

  /** Resolves with why the connection has ended; with null when Hansard was set up, so that it answers now. */
  async #greet(ssh: SshConnection, { attempt, env }: { attempt: AbortController; env: NodeJS.ProcessEnv }) {
    const hint = this.#spec.clock.after(MUTE_MS, () => this.#put({ type: 'mute' }));
    const hello = await ssh.hello().catch((error: Error) => error);
    hint.dispose();
    if (attempt.signal.aborted) return ENDED;
    if (hello instanceof Error) {
      const reason = `Hansard does not answer there: ${hello.message}.`;
      const late = later(this.#spec.clock, END_MS, attempt.signal).then(() => ({ reason, isFinal: false }));
      return await Promise.race([ssh.ended, late]);
    }
    // Not final: a core that starts again just now is one reason.
    if (hello.type === 'failed') return { reason: `Hansard could not start there: ${hello.reason}`, isFinal: false };
    // The connection stays open meanwhile: the copy goes through it.
    if (hello.type === 'missing') return await this.#setUp(hello, { attempt, env });
    if (hello.protocol !== MACHINE_PROTOCOL)
      return { reason: otherVersion(hello, this.#spec.remote.version), isFinal: true };
    return await this.#serve(ssh, hello.token, attempt.signal);
  }

  async #serve(ssh: SshConnection, token: string, signal: AbortSignal): Promise<SshEnd> {
    const { clock } = this.#spec;
    this.#put({ type: 'step', words: 'start' });
    const api = this.#spec.openApi(ssh.pipe(), token);
    try {
      const late = later(clock, ANSWER_MS, signal).then(() => Promise.reject(new Error('it takes too long')));
      const info = RemoteInfo.parse(await Promise.race([api.call('query', 'system.info', undefined), api.lost, late]));
      signal.throwIfAborted();
      const shown = info.coreId === undefined ? null : this.#spec.shownAs(info.coreId);
      if (shown !== null) return { reason: shown, isFinal: true };
      this.#put({ type: 'found', info });
      this.#api = api;
      const listed = this.#spec.listed(this.#spec.key);
      this.#ups.fire(api);
      await Promise.race([listed, api.lost, later(clock, LISTED_MS, signal)]);
      signal.throwIfAborted();
      this.#keys.up(api, token);
      this.#put({ type: 'up' });
      const put = (event: MachineEvent): void => (this.#api === api ? this.#put(event) : undefined);
      const pings = pingUntilSilent(api, clock, {
        signal,
        heardBytes: () => ssh.heardBytes,
        onLatency: (ms) => put({ type: 'latency', ms }),
        onSlow: () => put({ type: 'slow' }),
      });
      // ssh knows the reason best and reports it after a moment, on a silent line after longer.
      const gone = Promise.race([pings, api.lost.catch(() => 'failed')]).then(async (how): Promise<SshEnd> => {
        if (how === 'silent') return { reason: 'The line went silent.', isFinal: false };
        await later(clock, 1_000, signal);
        return { reason: 'The connection was lost.', isFinal: false };
      });
      return await Promise.race([ssh.ended, gone]);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      return { reason: `Hansard does not answer there: ${words}.`, isFinal: false };
    } finally {
      api.dispose();
    }
  }

  async #setUp(
    hello: Extract<StdioHello, { type: 'missing' }>,
    { attempt, env }: { attempt: AbortController; env: NodeJS.ProcessEnv },
  ): Promise<SshEnd | null> {
    const { remote, randomId, name } = this.#spec;
    const offer = remote.offer(hello);
    if ('remedy' in offer) return { reason: offer.remedy, isFinal: true };
    const agreed = Promise.withResolvers<boolean>();
    attempt.signal.addEventListener('abort', () => agreed.resolve(false));
    this.#answer = async (text) => {
      agreed.resolve(text !== null);
      return true;
    };
    this.#put({ type: 'asked', question: { id: randomId(4), kind: 'setup', text: offer.text } });
    const isAgreed = await agreed.promise;
    if (attempt.signal.aborted) return ENDED;
    this.#answer = null;
    this.#put({ type: 'asked', question: null });
    if (!isAgreed) return { reason: notCopied(hello), isFinal: true };
    this.#put({ type: 'step', words: 'setup' });
    await remote.install({
      run: (command, stdin) =>
        runSsh(besideArguments(name, this.controlPath, command), { env, stdin, signal: attempt.signal }),
      onProgress: (percent) => {
        if (!attempt.signal.aborted) this.#put({ type: 'step', words: 'setup', percent });
      },
      signal: attempt.signal,
    });
    return null;
  }

  #put(event: MachineEvent): void {
    const next = reduceMachine(this.#status, event);
    if (next === this.#status) return;
    this.#status = next;
    this.#changed.fire(next);
  }
}
