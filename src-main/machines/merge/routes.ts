import { z } from 'zod';
import type { MachineKey } from '../../contract/machines.ts';
import { machineOf, onMachine, withoutMachine } from '../../shared/machineIds.ts';

/** Fields of an input that may name a machine. */
const ID_FIELDS = ['id', 'terminalId', 'key', 'blockId'] as const;
/** Fields about this core's windows, which are unknown to other cores. */
const OWN_FIELDS = new Set(['machine', 'window']);
/** Real answers are nested less deeply; more is an attempt to overflow the stack. */
const MAX_DEPTH = 40;

const Input = z.record(z.string(), z.unknown());

export interface Route {
  readonly key: MachineKey;
  /** The input in the machine's own form. */
  readonly input: unknown;
}

/** The machine that an input is for; null for this one. */
export function routeOf(input: unknown): Route | null {
  const fields = Input.safeParse(input).data;
  if (fields === undefined) return null;
  const named = ID_FIELDS.flatMap((field) => {
    const value = fields[field];
    return typeof value === 'string' ? (machineOf(value) ?? []) : [];
  });
  const [key] = typeof fields.machine === 'string' ? [fields.machine] : named;
  if (key === undefined) return null;
  const entries = Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name));
  return {
    key,
    input: Object.fromEntries(entries.map(([name, value]) => [name, isIdField(name) ? bare(key, value) : value])),
  };
}

function isIdField(name: string): boolean {
  return (ID_FIELDS as readonly string[]).includes(name);
}

/** An id of a third machine stays unchanged and is not found: without its name it could match something on this machine. */
function bare(key: MachineKey, value: unknown): unknown {
  return typeof value === 'string' && machineOf(value) === key ? withoutMachine(value) : value;
}

/** Answers that are a terminal (null), or contain one in this field. */
const VIEWS: Readonly<Record<string, string | null>> = {
  'terminal.open': null,
  'recording.open': null,
  'agent.open': null,
  'agent.past.continue': null,
  'agent.start': 'terminal',
};

/** A machine's answer with ids of this machine. */
export function answerOf(key: MachineKey, path: string, answer: unknown): unknown {
  const renamed = rename(key, answer, 0);
  const field = VIEWS[path];
  if (field === undefined) return renamed;
  const fields = Input.safeParse(renamed).data;
  if (fields === undefined) return renamed;
  return field === null
    ? withId(key, fields)
    : { ...fields, [field]: withId(key, Input.safeParse(fields[field]).data) };
}

function withId(key: MachineKey, view: Record<string, unknown> | undefined): unknown {
  return view && typeof view.id === 'string' ? { ...view, id: onMachine(key, view.id) } : view;
}

/** Fields that contain things with a terminal's id. The content of others, such as the input of an agent's tool, is text of the record. */
const CONTAINERS = new Set([
  ...['terminals', 'terminal', 'rows', 'row', 'hits', 'conversations', 'conversation', 'messages', 'message'],
  ...['blocks', 'block', 'events', 'event', 'changes', 'delta', 'notSearched'],
]);

/** Renames the `terminalId` of each thing, the `key` of past conversations, and the keys of `titles`. */
function rename(key: MachineKey, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new Error('The machine answered with something that is nested too deep.');
  if (Array.isArray(value)) return value.map((each) => rename(key, each, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    if ((name === 'terminalId' || name === 'key') && typeof each === 'string') return [name, onMachine(key, each)];
    if (name === 'titles') return [name, renameTitles(key, each)];
    return [name, CONTAINERS.has(name) ? rename(key, each, depth + 1) : each];
  });
  return Object.fromEntries(entries);
}

function renameTitles(key: MachineKey, titles: unknown): unknown {
  const fields = Input.safeParse(titles).data;
  return fields && Object.fromEntries(Object.entries(fields).map(([id, title]) => [onMachine(key, id), title]));
}
