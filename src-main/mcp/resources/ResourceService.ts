import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Conversation } from '../../contract/chat/chat.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { machineOf } from '../../shared/machineIds.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { CallEnd } from '../audit/AuditAggregator.ts';
import { auditRead } from '../protocol/audited.ts';
import { splitRef } from '../protocol/inputs.ts';
import { type ResourcePlace, readResourceUri, scopeOfPlace } from '../protocol/resourceUri.ts';
import { runAudited } from '../protocol/runAudited.ts';
import type { ToolCall } from '../protocol/Tool.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import type { Served } from '../server/makeServer.ts';
import { chatRef } from '../tools/chats/chatsList.ts';
import { type Contents, readResource } from './readResource.ts';
import { watchResource } from './watchResource.ts';

const MAX_SUBSCRIPTIONS = 64;
/** Limit of a list, so that it stays short. agents_list with `past` pages through all conversations. */
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

/** The resources that one connection reads and watches. */
export class ResourceService implements IDisposable {
  readonly #served: Served;
  readonly #heard: Heard;
  readonly #watches = new Map<string, IDisposable>();

  constructor(served: Served, heard: Heard) {
    this.#served = served;
    this.#heard = heard;
  }

  /** The resources that a caller can read: open terminals, the newest conversations in them, and its own inbox and audit entries. */
  async list(caller: McpCaller): Promise<Listed[]> {
    const isAllowed = this.#served.desk.gate.has(caller, 'observe');
    const listed = isAllowed ? await this.#listed(caller) : [];
    const look = { tool: 'resources/list', terminalId: null, what: 'what there is to read' };
    const auditing = { clients: this.#served.clients, caller };
    auditRead(look, auditing, isAllowed ? 'answered' : 'NOT_ALLOWED_SCOPE', JSON.stringify(listed).length);
    return listed;
  }

  async #listed({ name }: McpCaller): Promise<Listed[]> {
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
    const isWanted = (chat: Conversation): boolean => record.isChatSeen(chat);
    const had = await Promise.all(open.map(({ id }) => chats.listPage({ terminalId: id, limit: MAX_CHATS, isWanted })));
    const newest = had.flatMap(({ conversations }) => conversations).sort((a, b) => b.updatedMs - a.updatedMs);
    const chatFiles = newest.slice(0, MAX_CHATS).map(({ terminalId, id, agent }) => ({
      uri: `term://chat/${chatRef(terminalId, id)}`,
      name: `conversation ${id}`,
      title: `Conversation with ${agent} in ${terminalId}`,
      mimeType: 'text/markdown',
    }));
    const all = { uri: 'term://ptys', name: 'terminals', title: 'Terminals', mimeType: 'application/json' };
    const own = [
      { uri: `term://inbox/${name}`, name: 'inbox', title: 'Watch results', mimeType: 'application/json' },
      { uri: 'term://audit/mine', name: 'audit', title: 'What you did here', mimeType: 'application/json' },
    ];
    return [all, ...screens, ...feeds, ...chatFiles, ...own];
  }

  /** Throws protocol errors: an unknown address is a wrong parameter. */
  async read(uri: string, call: ToolCall): Promise<Contents[]> {
    const place = this.#place(uri);
    const look = { tool: 'resources/read', terminalId: terminalOf(place), what: uri };
    const data = { uri };
    const scope = scopeOfPlace(place);
    return [
      await runAudited(look, call, () => readResource(uri, place, call), { sizeOf: sizeOfContents, scope, data }),
    ];
  }

  subscribe(uri: string, caller: McpCaller): void {
    const place = this.#place(uri);
    const isFull = !this.#watches.has(uri) && this.#watches.size >= MAX_SUBSCRIPTIONS;
    if (!this.#hasAsked('resources/subscribe', uri, { place, caller, isFull }))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `"${caller.name}" needs the scope "${scopeOfPlace(place)}" to follow this resource`,
      );
    if (this.#watches.has(uri)) return;
    if (isFull)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${MAX_SUBSCRIPTIONS} subscriptions are open: end one`);
    this.#watches.set(uri, this.#watch(uri, { place, caller }));
  }

  unsubscribe(uri: string): void {
    this.#watches.get(uri)?.dispose();
    this.#watches.delete(uri);
  }

  /** For the 2026 era: watches exactly these URIs. An unknown or hidden resource never fires. */
  listen(uris: readonly string[], caller: McpCaller): void {
    for (const uri of this.#watches.keys()) if (!uris.includes(uri)) this.unsubscribe(uri);
    for (const uri of uris.slice(0, MAX_SUBSCRIPTIONS)) {
      const place = readResourceUri(uri);
      if (!place || this.#watches.has(uri)) continue;
      this.#hasAsked('subscriptions/listen', uri, { place, caller });
      this.#watches.set(uri, this.#watch(uri, { place, caller }));
    }
  }

  dispose(): void {
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  /** Checks the policy at each change, because it may have changed since. */
  #watch(uri: string, { place, caller }: { place: ResourcePlace; caller: McpCaller }): IDisposable {
    return watchResource(place, this.#served, () => {
      const isOwn = place.kind !== 'inbox' || place.client === caller.name;
      if (isOwn && this.#served.desk.gate.has(caller, scopeOfPlace(place))) this.#heard.updated(uri);
    });
  }

  /** Records a subscription in the audit log, and whether it can ever fire. Returns whether the caller may read the resource. */
  #hasAsked(
    method: string,
    uri: string,
    { place, caller, isFull = false }: { place: ResourcePlace; caller: McpCaller; isFull?: boolean },
  ): boolean {
    const { desk, clients } = this.#served;
    const terminalId = terminalOf(place);
    const mayLook = desk.gate.has(caller, scopeOfPlace(place));
    const isOwn = place.kind !== 'inbox' || place.client === caller.name;
    const end = isFull ? 'RATE_LIMITED' : endOfLookingFor(terminalId, desk);
    const look = { tool: method, terminalId, what: uri };
    auditRead(look, { clients, caller }, mayLook && isOwn ? end : 'NOT_ALLOWED_SCOPE', 0);
    return mayLook;
  }

  #place(uri: string): ResourcePlace {
    const place = readResourceUri(uri);
    if (place && machineOf(terminalOf(place) ?? '') !== null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'resources are of this machine: blocks_read, pty_snapshot and agents_read read those of a host',
        { uri },
      );
    if (place) return place;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${uri.slice(0, 200)}`, { uri });
  }
}

function terminalOf(place: ResourcePlace): string | null {
  if ('terminalId' in place) return place.terminalId;
  return 'ref' in place ? splitRef(place.ref).terminalId : null;
}

function endOfLookingFor(terminalId: string | null, { record }: McpReadService): CallEnd {
  try {
    if (terminalId !== null) record.terminal(terminalId);
    return 'answered';
  } catch (error) {
    if (error instanceof ToolFault) return error.code;
    throw error;
  }
}

function sizeOfContents(contents: Contents): number {
  return 'text' in contents ? contents.text.length : contents.blob.length;
}
