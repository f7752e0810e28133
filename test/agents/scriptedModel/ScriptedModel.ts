import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Answer,
  type Json,
  leastOf,
  type ModelRequest,
  type NameTool,
  type Protocol,
  type Sink,
} from './Protocol.ts';
import { type Pace, type Reply, type ToolResult, type Turn, TYPING } from './script.ts';

/** One answer of the script, from its request to its end. */
export interface Served {
  readonly turn: Turn;
  /** The prompt as the agent sent it: its menu may have completed what was typed. */
  readonly asked: string;
  readonly reply: Reply;
  /** Index of the reply in its turn. */
  readonly at: number;
  readonly call: Answer['call'];
  /** Results of the turn's earlier calls. */
  readonly results: readonly ToolResult[];
  readonly beganMs: number;
  endedMs: number | null;
  /** Characters of the text that were sent. */
  sentChars: number;
  /** Whether the agent disconnected before the end. */
  isCut: boolean;
}

/** The answer to a request outside the script. */
export const SIDE_TEXT = 'A scripted session.';

/** A model server on loopback that plays a script over the APIs of all agents. */
export class ScriptedModel {
  readonly url: string;
  /** Answers of the script, in the order of requests. */
  readonly served: Served[] = [];
  /** Requests outside the script: titles, summaries, quota. */
  readonly side: string[] = [];
  /** Readable problems, such as a tool that the agent does not offer or a body that is not JSON. */
  readonly problems: string[] = [];
  readonly #server: Server;
  readonly #protocols: readonly Protocol[];
  readonly #nameTool: NameTool;
  readonly #watchers = new Set<() => void>();
  /** Appends each request with its body to the file RIG_TRACE, if set. */
  readonly #trace = process.env.RIG_TRACE ? (line: string) => appendFileSync(process.env.RIG_TRACE ?? '', line) : null;
  #turn: Turn | null = null;
  #next: Turn | null = null;
  #turns = 0;

  private constructor(server: Server, protocols: readonly Protocol[], nameTool: NameTool) {
    this.#server = server;
    this.#protocols = protocols;
    this.#nameTool = nameTool;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.problems.push(String(error));
        response.destroy();
      });
    });
  }

  static async start(protocols: readonly Protocol[], nameTool: NameTool): Promise<ScriptedModel> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedModel(server, protocols, nameTool);
  }

  get turn(): Turn | null {
    return this.#turn;
  }

  /** Sets the turn whose prompt is typed next. */
  load(turn: Turn): void {
    this.#turn = turn;
    this.#next = null;
    this.#turns += 1;
  }

  /** Sets the turn that becomes the current one when its prompt arrives. */
  follow(turn: Turn): void {
    this.#next = turn;
  }

  /** Resolves when `isMet` returns true. Checks now and whenever an answer begins, continues or ends. */
  until(isMet: () => boolean, timeoutMs = 30_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`the model waited ${timeoutMs} ms for ${isMet.toString()}; ${this.problems.join('; ')}`));
      }, timeoutMs);
      const look = (): void => {
        if (!isMet()) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    const text = Buffer.concat(chunks).toString('utf8');
    const body: Json = text.startsWith('{') ? JSON.parse(text) : {};
    const protocol = this.#protocols.find((known) => known.asks(path));
    if (!protocol)
      return sendJson(response, this.#protocols.map((known) => known.other(path, body)).find(Boolean) ?? {});
    const asked = protocol.read(path, body);
    const sink = new HttpSink(response);
    const served = this.#choose(asked);
    if (this.#trace) this.#trace(`${path} ${served ? `reply ${served.at}` : 'side'}\n${text}\n`);
    if (!served) {
      this.side.push(asked.lastText.slice(-200));
      await protocol.write(sideAnswer(asked), asked, sink);
      return sink.end();
    }
    await this.#play(served, { protocol, asked, sink });
  }

  async #play(
    served: Served,
    { protocol, asked, sink }: { protocol: Protocol; asked: ModelRequest; sink: HttpSink },
  ): Promise<void> {
    const { thinking = '', text = '', pace = TYPING } = served.reply;
    this.served.push(served);
    sink.onSent = (characters) => {
      served.sentChars += characters;
      this.#poke();
    };
    this.#poke();
    await protocol.write({ thinking, text, pace, call: served.call }, asked, sink);
    served.isCut = sink.isGone;
    served.endedMs = Date.now();
    sink.end();
    this.#poke();
  }

  /** Finds the reply by the prompt or the results in the request, so that a repeated request gets the same answer. */
  #choose(asked: ModelRequest): Served | null {
    if (this.#next && asked.tools.length > 0 && squeeze(asked.lastText).includes(squeeze(this.#next.prompt)))
      this.load(this.#next);
    const turn = this.#turn;
    if (!turn || asked.tools.length === 0 || asked.schema !== null) return null; // requests for titles and summaries
    const prefix = `call_${this.#turns}_`;
    const byId = new Map(asked.results.filter(({ id }) => id?.startsWith(prefix)).map((one) => [one.id, one]));
    const results = [...byId.values()];
    const isFirst = results.length === 0 && squeeze(asked.lastText).includes(squeeze(turn.prompt));
    if (!isFirst && !(results.length > 0 && asked.endsInResult)) return null;
    const at = results.length;
    const reply = replyOf(turn, asked, results);
    if (!reply) return null;
    const named = reply.call ?? (reply.tool && this.#nameTool(reply.tool, asked.tools));
    const call = named ? { id: `${prefix}${at}`, ...named } : null;
    const asks = isFirst ? askedIn(asked.lastText, turn.prompt) : turn.prompt;
    return {
      turn,
      asked: asks,
      reply,
      at,
      call,
      results,
      beganMs: Date.now(),
      endedMs: null,
      sentChars: 0,
      isCut: false,
    };
  }

  #poke(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function replyOf({ replies }: Turn, { tools }: ModelRequest, results: readonly ToolResult[]): Reply | undefined {
  if (typeof replies !== 'function') return replies[results.length];
  return replies({ results, offered: tools.map(({ name }) => name) });
}

/** The line of a request that has the prompt. The agent may put it between its own lines, or in marks of its own. */
function askedIn(lastText: string, prompt: string): string {
  const lines = lastText.split('\n').map((line) => line.trim());
  return lines.find((line) => squeeze(line).includes(squeeze(prompt)) && !/^<|>$/.test(line)) ?? prompt;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

function sideAnswer({ schema }: ModelRequest): Answer {
  const text = schema ? JSON.stringify(leastOf(schema)) : SIDE_TEXT;
  return { thinking: '', text, pace: 'burst', call: null };
}

function sendJson(response: ServerResponse, data: Json): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data));
}

class HttpSink implements Sink {
  readonly #response: ServerResponse;
  onSent: ((characters: number) => void) | null = null;
  isGone = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => {
      this.isGone = !response.writableFinished;
    });
  }

  event(data: Json, name?: string): void {
    if (this.isGone) return;
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
  }

  json(data: Json): void {
    sendJson(this.#response, data);
  }

  sent(characters: number): void {
    this.onSent?.(characters);
  }

  beat(pace: Pace): Promise<boolean> {
    if (pace === 'burst') return Promise.resolve(!this.isGone);
    return new Promise((resolve) => setTimeout(() => resolve(!this.isGone), pace.everyMs));
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }
}
