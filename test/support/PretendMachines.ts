import type { Page, WebSocketRoute } from 'playwright-core';
import type { MachineView } from '../../src-main/contract/machines.ts';
import type { ProjectsView } from '../../src-main/contract/project.ts';
import { onMachine } from '../../src-main/shared/machineIds.ts';

interface Request {
  id: number;
  method: 'query' | 'mutation' | 'subscription' | 'subscription.stop';
  params?: { path: string; input?: Record<string, unknown> };
}

/**
 * A proxy between a page and its core. It answers the page's requests about machines, and gives terminals of the core the ids of terminals on
 * another machine. The page cannot detect that ssh is missing.
 */
export class PretendMachines {
  machines: readonly MachineView[] = [];
  /** The page's requests about machines, and those for one, in order. */
  readonly calls: [path: string, input: unknown][] = [];
  readonly answers: Record<string, (input: never) => unknown> = {};
  readonly #marked = new Map<string, string>();
  readonly #opening = new Map<number, string>();
  #following: { socket: WebSocketRoute; id: number } | null = null;

  async attach(page: Page): Promise<void> {
    await page.routeWebSocket(/./, (socket) => {
      const core = socket.connectToServer();
      socket.onMessage((message) => {
        for (const part of partsOf(String(message))) {
          const up = this.#up(socket, part);
          if (up !== null) core.send(up);
        }
      });
      core.onMessage((message) => {
        for (const part of partsOf(String(message))) socket.send(this.#down(part));
      });
    });
  }

  /** Sets the machines and sends them to the page. */
  show(...machines: MachineView[]): void {
    this.machines = machines;
    const following = this.#following;
    if (following) send(following.socket, following.id, { machines });
  }

  /** Makes a terminal of the core one of the machine `key`, from the next message that lists it. */
  mark(terminalId: string, key: string): void {
    this.#marked.set(terminalId, key);
  }

  #up(socket: WebSocketRoute, message: string): string | null {
    if (!message.startsWith('{')) return message;
    const request: Request = JSON.parse(message);
    const { path = '', input = {} } = request.params ?? {};
    if (path.startsWith('machine.')) {
      this.#answer(socket, request, path);
      return null;
    }
    const { machine, ...rest } = input;
    if (typeof machine !== 'string') return this.#withoutMarks(message);
    this.calls.push([path, input]);
    if (path === 'terminal.open') this.#opening.set(request.id, machine);
    return this.#withoutMarks(JSON.stringify({ ...request, params: { ...request.params, input: rest } }));
  }

  #answer(socket: WebSocketRoute, { id, method, params }: Request, path: string): void {
    if (method === 'subscription') {
      this.#following = { socket, id };
      socket.send(JSON.stringify({ id, result: { type: 'started' } }));
      send(socket, id, { machines: this.machines });
      return;
    }
    this.calls.push([path, params?.input]);
    send(socket, id, this.answers[path]?.(params?.input as never) ?? null);
  }

  #down(message: string): string {
    if (!message.startsWith('{')) return message;
    const { id, result } = JSON.parse(message) as { id?: number; result?: { data?: unknown } };
    const opening = id === undefined ? undefined : this.#opening.get(id);
    const key = opening ?? [...this.#opening.values()].at(-1);
    const { data } = result ?? {};
    const terminal = opening === undefined ? changedTerminal(data) : (data as { id: string });
    if (key !== undefined && terminal && !this.#seen.has(terminal.id)) this.mark(terminal.id, key);
    if (opening !== undefined && id !== undefined) this.#opening.delete(id);
    this.#see(data);
    const roots = isProjects(data) ? JSON.stringify({ id, result: { ...result, data: this.#roots(data) } }) : message;
    return [...this.#marked].reduce((text, [own, on]) => text.replaceAll(own, onMachine(on, own)), roots);
  }

  /** Ids of terminals that the page already knows. */
  readonly #seen = new Set<string>();

  #see(data: unknown): void {
    const change = data as { type?: string; terminals?: { id: string }[] } | undefined;
    if (change?.type === 'all' && Array.isArray(change.terminals))
      for (const { id } of change.terminals) this.#seen.add(id);
    const terminal = changedTerminal(data);
    if (terminal) this.#seen.add(terminal.id);
  }

  #roots(view: ProjectsView): ProjectsView {
    const rootOf = Object.fromEntries(
      Object.entries(view.rootOf).map(([id, root]) => {
        const key = this.#marked.get(id);
        return [id, key === undefined ? root : onMachine(key, root)];
      }),
    );
    const keys = [...new Set(this.#marked.values())];
    const theirs = keys.flatMap((key) => view.projects.map((each) => ({ ...each, root: onMachine(key, each.root) })));
    return { ...view, rootOf, projects: [...view.projects, ...theirs] };
  }

  #withoutMarks(message: string): string {
    return [...this.#marked].reduce((text, [own, key]) => text.replaceAll(onMachine(key, own), own), message);
  }
}

/** Messages that waited for a connection come as one JSON array. */
function partsOf(message: string): string[] {
  return message.startsWith('[') ? (JSON.parse(message) as unknown[]).map((part) => JSON.stringify(part)) : [message];
}

function send(socket: WebSocketRoute, id: number, data: unknown): void {
  socket.send(JSON.stringify({ id, result: { type: 'data', data } }));
}

function changedTerminal(data: unknown): { id: string } | undefined {
  const change = data as { type?: string; terminal?: { id: string } } | undefined;
  return change?.type === 'changed' ? change.terminal : undefined;
}

function isProjects(data: unknown): data is ProjectsView {
  return typeof data === 'object' && data !== null && 'rootOf' in data && 'portsOf' in data;
}
