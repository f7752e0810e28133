import type { Readable, Writable } from 'node:stream';
import type { McpPreface } from '../../contract/mcp/mcp.ts';
import { MAX_PREFACE_BYTES, type Profile } from '../../contract/mcp/mcpWire.ts';
import type { EndpointRead } from '../../store/instance/mcpEndpoint.ts';
import type { Clock } from '../../util/Clock.ts';
import { detach } from '../../util/strayErrors.ts';
import { type CutLine, LineCutter } from '../protocol/LineCutter.ts';
import { TurnWriter } from '../protocol/TurnWriter.ts';
import { AppLink } from './AppLink.ts';
import { answerWithoutApp, type Catalog, type Refusal, refusedRequest } from './Catalog.ts';
import { type Request, readAppMessage, readMessage } from './messages.ts';
import { Relay, unreachable } from './Relay.ts';

/** A client that has closed its end may still read, but does not wait long. */
const LAST_ANSWERS_MS = 1_000;

/** Everything that a bridge uses of its process. No globals, so that any process can be one. */
export interface BridgeDeps {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** A sentence for the person who looks into the client's logs. */
  complain(sentence: string): void;
  readonly clock: Clock;
  /** Where the app may be; called at each try. */
  locate(): EndpointRead[];
  readonly uid: number | null;
  readonly self: { readonly pid: number; readonly ppid: number; readonly cwd: string };
  readonly profile: Profile;
  /** Whether the app reports watch results in the client's session. Not possible, so not offered, in the stateless era. */
  readonly hasChannel: boolean;
  readonly version: string;
  /** Called for the first answer without the app. */
  loadCatalog(): Promise<Catalog>;
  /** Unguessable prefix of the relay's own ids. */
  readonly ownPrefix: string;
}

/** Connects a client on stdin and stdout to the app on its socket. Resolves when the client has left and has its answers. */
export function runBridge(deps: BridgeDeps): Promise<void> {
  return new Bridge(deps).run();
}

class Bridge {
  readonly #deps: BridgeDeps;
  readonly #fromClient = new LineCutter();
  #fromApp = new LineCutter();
  readonly #link: AppLink;
  readonly #relay: Relay;
  readonly #toClient: TurnWriter<Uint8Array>;
  readonly #toApp: TurnWriter<Uint8Array>;
  #catalog: Promise<Catalog> | null = null;
  readonly #complained = new Set<string>();
  /** Number of catalog answers in progress. */
  #owed = 0;
  #hasEnded = false;
  #finish: () => void = () => undefined;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    const { clock, uid, ownPrefix, version, stdout } = deps;
    this.#toClient = new TurnWriter((lines) => stdout.write(Buffer.concat(lines)));
    this.#toApp = new TurnWriter((lines) => this.#link.write(Buffer.concat(lines)));
    this.#link = new AppLink({
      clock,
      uid,
      locate: () => this.#locate(),
      preface: (token) => prefaceOf(token, this.#relay.clientName, deps),
      onOpened: () => {
        this.#fromApp = new LineCutter();
        this.#relay.appOpened();
      },
      onBytes: (bytes) => this.#takeFromApp(bytes),
      onLost: (why) => {
        this.#relay.appLost(unreachable(why));
        this.#balance();
      },
      onDrain: () => this.#balance(),
    });
    this.#relay = new Relay({
      clock,
      ownPrefix,
      catalogVersion: version,
      toClient: (message) => say(this.#toClient, message),
      toApp: (message) => say(this.#toApp, message),
      seekApp: () => this.#link.seek(),
      dropApp: () => this.#link.drop(),
      answerWithoutApp: (request, refusal) => detach('runBridge', this.#answer(request, refusal)),
    });
  }

  run(): Promise<void> {
    const { stdin, stdout, clock } = this.#deps;
    return new Promise((resolve) => {
      this.#finish = () => {
        this.#toClient.flush(); // the caller may end the process at once
        this.#link.dispose();
        this.#relay.dispose();
        stdin.destroy();
        resolve();
      };
      stdin.on('data', (chunk: Buffer) => this.#takeFromClient(this.#fromClient.feed(chunk)));
      stdout.on('drain', () => this.#balance());
      const end = (): void => {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        const last = this.#fromClient.finish();
        if (last) this.#takeFromClient([last]);
        clock.after(LAST_ANSWERS_MS, () => this.#finish());
        this.#balance();
      };
      for (const event of ['end', 'close', 'error']) stdin.on(event, end);
      stdout.on('error', () => this.#finish()); // the client no longer reads
    });
  }

  #takeFromClient(lines: readonly CutLine[]): void {
    for (const line of lines) {
      const message = readMessage(line);
      if (message.kind === 'bad') say(this.#toClient, message.reply);
      else if (this.#deps.hasChannel && message.kind === 'request' && message.method === 'server/discover')
        say(this.#toClient, { jsonrpc: '2.0', id: message.id, error: NO_DISCOVERY });
      else this.#relay.fromClient(message);
    }
    this.#balance();
  }

  #takeFromApp(bytes: Uint8Array): void {
    for (const line of this.#fromApp.feed(bytes)) {
      const message = readAppMessage(line);
      if (message) this.#relay.fromApp(message);
      else this.#complain('the app sent a line that is no message; it is left out');
    }
    this.#balance();
  }

  async #answer(request: Request, refusal: Refusal): Promise<void> {
    this.#owed += 1;
    this.#complain(`${refusal.message}; ${refusal.suggestion}.`);
    this.#catalog ??= this.#deps.loadCatalog();
    const body = await this.#catalog.then(
      (catalog) =>
        answerWithoutApp(request, catalog, {
          refusal,
          nowMs: this.#deps.clock.nowMs(),
          hasChannel: this.#deps.hasChannel,
        }),
      (error: unknown) => {
        this.#catalog = null; // an update may be replacing the file
        this.#complain(`the lists cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        return { error: refusedRequest(refusal) };
      },
    );
    this.#owed -= 1;
    say(this.#toClient, { jsonrpc: '2.0', id: request.id, ...body });
    this.#balance();
  }

  /** Reads from each side only as much as the other side accepts, and finishes when everything is written. */
  #balance(): void {
    const { stdin, stdout } = this.#deps;
    this.#toClient.flush();
    this.#toApp.flush();
    this.#link.setPaused(stdout.writableNeedDrain);
    const isFull = this.#relay.isWaiting || this.#link.isFull || stdout.writableNeedDrain;
    if (isFull !== stdin.isPaused()) {
      if (isFull) stdin.pause();
      else stdin.resume();
    }
    if (this.#hasEnded && !this.#relay.isBusy && this.#owed === 0) this.#finish();
  }

  #locate(): EndpointRead[] {
    const found = this.#deps.locate();
    for (const one of found) if (one.status === 'refused') this.#complain(`${one.reason}; it is not trusted.`);
    return found;
  }

  #complain(sentence: string): void {
    if (this.#complained.has(sentence)) return;
    this.#complained.add(sentence);
    this.#deps.complain(sentence);
  }
}

/** The answer of a server with a handshake only: a client that probed continues with `initialize`. */
const NO_DISCOVERY = { code: -32601, message: 'Method not found' };

const LF = Buffer.from('\n');

function say(out: TurnWriter<Uint8Array>, message: Uint8Array | object): void {
  out.write(message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message)));
  out.write(LF);
}

function prefaceOf(token: string, client: string, { self, profile, hasChannel }: BridgeDeps): string {
  const channel = hasChannel ? { channel: true } : {};
  const facts: McpPreface = { token, bridge_pid: self.pid, bridge_ppid: self.ppid, profile, ...channel };
  const whole = { ...facts, client_hint: client.slice(0, 128), cwd: self.cwd };
  const fits = self.cwd.length <= 2048 && Buffer.byteLength(JSON.stringify(whole)) < MAX_PREFACE_BYTES;
  return `${JSON.stringify(fits ? whole : facts)}\n`;
}
