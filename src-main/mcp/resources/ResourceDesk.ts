import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type McpCaller, ToolFault } from '../../contract/mcp.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { asProtocolError } from '../answers.ts';
import type { Served } from '../makeServer.ts';
import type { ToolCall } from '../Tool.ts';
import { chatRef } from '../tools/chatsList.ts';
import { type Contents, readResource } from './readResource.ts';
import { type ResourcePlace, readResourceUri } from './resourceUri.ts';
import { watchResource } from './watchResource.ts';

const MAX_SUBSCRIPTIONS = 64;
/** A list is to be looked through; chats_list pages through all. */
const MAX_CHATS = 20;

interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

interface Heard {
  updated(uri: string): void;
}

/** What one connection reads and watches as resources. */
export class ResourceDesk implements IDisposable {
  readonly #served: Served;
  readonly #heard: Heard;
  readonly #watches = new Map<string, IDisposable>();

  constructor(served: Served, heard: Heard) {
    this.#served = served;
    this.#heard = heard;
  }

  /** What there is for a caller to read: open terminals, the newest conversations in them, and what is its own. */
  async list({ name }: Pick<McpCaller, 'name'>): Promise<Listed[]> {
    const { record, chats } = this.#served.desk;
    const open = record.open();
    const screens = open.map(({ id }) => ({
      uri: `term://pty/${id}/screen`,
      name: `screen of ${id}`,
      title: `Screen of ${id}`,
      mimeType: 'text/plain',
    }));
    const feeds = open.map(({ id }) => ({
      uri: `term://pty/${id}/blocks`,
      name: `commands of ${id}`,
      title: `Commands of ${id}`,
      mimeType: 'application/json',
    }));
    const had = await Promise.all(open.map(({ id }) => chats.list({ terminalId: id, limit: MAX_CHATS })));
    const newest = had.flat().sort((a, b) => b.updatedMs - a.updatedMs);
    const conversations = newest.slice(0, MAX_CHATS).map(({ terminalId, id, agent }) => ({
      uri: `term://chat/${chatRef(terminalId, id)}`,
      name: `conversation ${id}`,
      title: `Conversation with ${agent} in ${terminalId}`,
      mimeType: 'text/markdown',
    }));
    const all = { uri: 'term://ptys', name: 'terminals', title: 'Terminals', mimeType: 'application/json' };
    const own = [
      { uri: `term://inbox/${name}`, name: 'inbox', title: 'What was noticed for you', mimeType: 'application/json' },
      { uri: 'term://audit/mine', name: 'audit', title: 'What you did here', mimeType: 'application/json' },
    ];
    return [all, ...screens, ...feeds, ...conversations, ...own];
  }

  /** Throws what the protocol knows: an address of nothing is a wrong parameter. */
  async read(uri: string, call: ToolCall): Promise<Contents[]> {
    const place = this.#place(uri);
    const leave = passed(() =>
      call.authority.enter({ tool: 'resources/read', scope: 'observe', isWait: false }, call.caller),
    );
    try {
      const contents = await readResource(uri, place, call);
      leave('text' in contents ? contents.text.length : contents.blob.length);
      return [contents];
    } catch (error) {
      leave(0);
      throw error instanceof ToolFault ? asProtocolError(error, { uri }) : error;
    }
  }

  subscribe(uri: string, caller: McpCaller): void {
    const place = this.#place(uri);
    if (!this.#served.desk.gate.has(caller, 'observe'))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `"${caller.name}" may not look at anything here`);
    if (this.#watches.has(uri)) return;
    if (this.#watches.size >= MAX_SUBSCRIPTIONS)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${MAX_SUBSCRIPTIONS} subscriptions are open: end one`);
    this.#watches.set(uri, this.#watch(uri, { place, caller }));
  }

  unsubscribe(uri: string): void {
    this.#watches.get(uri)?.dispose();
    this.#watches.delete(uri);
  }

  /** The 2026 era: these and no others are listened for. What is nothing, or hidden, is never heard of. */
  listen(uris: readonly string[], caller: McpCaller): void {
    for (const uri of this.#watches.keys()) if (!uris.includes(uri)) this.unsubscribe(uri);
    for (const uri of uris.slice(0, MAX_SUBSCRIPTIONS)) {
      const place = readResourceUri(uri);
      if (place && !this.#watches.has(uri)) this.#watches.set(uri, this.#watch(uri, { place, caller }));
    }
  }

  dispose(): void {
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  /** Judged at each change: the person's policy may be another one by then. */
  #watch(uri: string, { place, caller }: { place: ResourcePlace; caller: McpCaller }): IDisposable {
    return watchResource(place, this.#served, () => {
      const isOwn = place.kind !== 'inbox' || place.client === caller.name;
      if (isOwn && this.#served.desk.gate.has(caller, 'observe')) this.#heard.updated(uri);
    });
  }

  #place(uri: string): ResourcePlace {
    const place = readResourceUri(uri);
    if (place) return place;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri.slice(0, 200)}`, { uri });
  }
}

function passed<T>(enter: () => T): T {
  try {
    return enter();
  } catch (error) {
    throw error instanceof ToolFault ? asProtocolError(error) : error;
  }
}
