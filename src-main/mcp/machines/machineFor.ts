import type { MachineKey } from '../../contract/machines.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { machineOf, withoutMachine } from '../../shared/machineIds.ts';
import type { OtherMachines, Tool } from '../protocol/Tool.ts';

/** Inputs of tools that name a terminal or a part of its record. */
export const ID_INPUTS = ['pty_id', 'block_id', 'chat_id', 'close', 'at_block_end'] as const;

/** An admitted call. `given` is the client's input, `input` this machine's interpretation of it. */
export interface LetIn {
  readonly tool: Tool;
  readonly given: Readonly<Record<string, unknown>>;
  readonly input: Record<string, unknown>;
}

type Input = Readonly<Record<string, unknown>>;

/** The connected machine that a call is for, by its ids or its `host`; null for this one. Throws if that machine cannot be asked. */
export function machineFor(input: Input, machines: OtherMachines | null): MachineLink | null {
  if (machines === null) return null;
  const keys = new Set(ID_INPUTS.flatMap((name) => (typeof input[name] === 'string' ? [machineOf(input[name])] : [])));
  if (typeof input.host === 'string') keys.add(keyNamed(input.host, machines));
  if (keys.size > 1)
    throw new ToolFault('BAD_INPUT', 'the ids are of different machines', 'give ids of one machine in a call');
  const [key = null] = keys;
  return key === null ? null : linkOf(key, machines);
}

/** The input for that machine, with ids in its own form. */
export function inputThere(key: MachineKey, given: Input): Input {
  const { host: _, ...rest } = given;
  const isOurs = (name: string): boolean => (ID_INPUTS as readonly string[]).includes(name);
  const bare = (value: unknown): unknown =>
    typeof value === 'string' && machineOf(value) === key ? withoutMachine(value) : value;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, isOurs(name) ? bare(value) : value]));
}

function keyNamed(host: string, machines: OtherMachines): MachineKey {
  const found = machines.connected.find(({ view }) => view.name === host);
  if (found) return found.view.key;
  const names = machines.connected.map(({ view }) => view.name).join(', ');
  throw new ToolFault(
    'HOST_UNAVAILABLE',
    `no host "${host}" is connected, so nothing was sent`,
    names === '' ? 'the person connects one with `hansard ssh HOST`' : `connected are: ${names}`,
  );
}

function linkOf(key: MachineKey, machines: OtherMachines): MachineLink {
  const link = machines.find(key);
  if (!link)
    throw new ToolFault(
      'PTY_NOT_FOUND',
      `this Hansard knows no machine "${key}"`,
      'pty_list names the terminals of all connected machines',
    );
  if (link.api !== null && link.view.state === 'connected') return link;
  throw offFault(link);
}

/** The fault for a machine that is not connected: nothing was sent. */
export function offFault({ view: { name, state } }: MachineLink): ToolFault {
  const isTried = state === 'lost' || state === 'connecting';
  return new ToolFault(
    'HOST_UNAVAILABLE',
    `${name} is not connected (${state}), so nothing was sent`,
    isTried
      ? 'Hansard is connecting again: call once more when pty_list has it'
      : `the person connects it in the window, or with \`hansard ssh ${name}\``,
  );
}
