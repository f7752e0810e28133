import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import { machineFor } from '../machines/machineFor.ts';
import { runThere } from '../machines/runThere.ts';
import { answerOf, type Effective, faultOf } from '../protocol/answers.ts';
import { auditedCall } from '../protocol/audited.ts';
import type { InputNeeded, TaskBegun, Tool, ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import type { CreatedTask } from '../protocol/taskShapes.ts';
import { unreadableFault } from '../read/unreadable.ts';

/**
 * Some clients add these to the schemas of all tools for their own use, and pass them on when their model sets them. They belong to no tool's input;
 * any other unknown input is refused. (`wait_for_previous`: the order of one client's parallel calls.)
 */
const OF_CLIENTS: ReadonlySet<string> = new Set(['wait_for_previous']);

/** Runs a tool. Every expected refusal becomes an answer; any other error is a bug of ours and becomes a protocol error. */
export async function callTool(
  tool: Tool,
  raw: unknown,
  call: ToolCall,
): Promise<CallToolResult | InputRequiredResult | CreatedTask> {
  const { nowMs } = call.desk;
  try {
    const told = await runTool(tool, raw, call, (answer, effective) => {
      const result = answerOf(answer, { nowMs: nowMs(), effective });
      return { result, bytes: sizeOf(result) };
    });
    if ('needs' in told) return told.needs;
    return 'task' in told ? told.task : told.result;
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return faultOf(error, nowMs());
  }
}

/** An answer on the wire with its size, which is charged to the client. */
interface Delivered<T> {
  readonly result: T;
  readonly bytes: number;
}

/** One call with its input, scope, limits and audit entry. Throws a ToolFault for every expected refusal. */
export async function runTool<T>(
  tool: Tool,
  raw: unknown,
  call: ToolCall,
  deliver: (answer: ToolAnswer, effective: Effective) => Delivered<T>,
): Promise<Delivered<T> | InputNeeded | TaskBegun> {
  const entry = auditedCall(tool, call);
  let leave: ((bytes: number) => void) | null = null;
  let bytes = 0;
  try {
    const { given, input, effective } = readInput(tool, raw);
    entry.understood(input);
    leave = enter(tool, input, call);
    const machine = machineFor(input, call.machines);
    if (machine === null) tool.admit?.(input, call.desk);
    entry.entered();
    const stillSees = mayStillSee(call);
    const told = await runThere({ tool, given, input }, machine, call);
    stillSees();
    if ('needs' in told || 'task' in told) return told;
    const delivered = deliver(told, { ...effective, ...told.effective });
    bytes = delivered.bytes;
    return delivered;
  } catch (error) {
    const refusal = tool.hints.readOnlyHint ? unreadableFault(error) : error;
    entry.failed(refusal);
    throw refusal;
  } finally {
    leave?.(bytes);
    entry.close(bytes);
  }
}

function enter(tool: Tool, input: Record<string, unknown>, { authority, caller, brought }: ToolCall) {
  const isWait = tool.isWait?.(input) ?? false;
  const scope = tool.scopeFor?.(input) ?? tool.scope;
  return authority.enter({ tool: tool.name, scope, isWait, isRetry: brought !== null }, caller);
}

/** Returns a function that throws if the client could look at terminals before and may not now: a call may have waited for minutes. */
function mayStillSee({ authority, caller }: ToolCall): () => void {
  if (!authority.has(caller, 'observe')) return () => undefined;
  return () => {
    if (authority.has(caller, 'observe')) return;
    const why = 'the person has taken the scope "observe" away meanwhile, so the answer is not given';
    throw new ToolFault('NOT_ALLOWED_SCOPE', why, 'stop here; what the call has done before is done');
  };
}

function readInput(
  tool: Tool,
  raw: unknown,
): { given: Record<string, unknown>; input: Record<string, unknown>; effective: Effective } {
  const given = byOwnNames(tool, ofTools(raw ?? {}));
  const read = tool.input.safeParse(given);
  if (!read.success) throw badInput(tool, read.error);
  return {
    given: given as Record<string, unknown>,
    input: read.data,
    effective: Object.fromEntries(changedNumbers(given, read.data)),
  };
}

/** Throws if a call gives one input by two of its names, because it is not clear which value to use. Paths name aliases: `wait.timeout_ms`. */
function byOwnNames(tool: Tool, given: unknown, path = ''): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { name, inputAliases = {} } = tool;
  const named: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const alias = Object.hasOwn(inputAliases, path + key) ? inputAliases[path + key] : undefined;
    const own = alias ?? key;
    if (named.some(([other]) => other === own))
      throw new ToolFault(
        'BAD_INPUT',
        `${path}${key}: ${own} is given twice, by two names`,
        `give ${name} ${own} alone`,
      );
    named.push([own, byOwnNames(tool, value, `${path}${own}.`)]);
  }
  return Object.fromEntries(named);
}

/** Input numbers that were changed, by path: `wait.stable_ms`. */
function changedNumbers(given: unknown, taken: unknown, path = ''): [string, number][] {
  if (typeof given === 'number') return typeof taken === 'number' && taken !== given ? [[path, taken]] : [];
  if (typeof given !== 'object' || given === null || typeof taken !== 'object' || taken === null) return [];
  const within = taken as Record<string, unknown>;
  return Object.entries(given).flatMap(([name, value]) =>
    changedNumbers(value, within[name], path === '' ? name : `${path}.${name}`),
  );
}

function ofTools(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !OF_CLIENTS.has(name)));
}

function badInput(tool: Tool, error: z.ZodError): ToolFault {
  const [first] = error.issues;
  const path = first?.path.join('.') ?? '';
  const what = first?.message ?? 'the input is not what the tool takes';
  const known = Object.keys(tool.input.shape).join(', ') || 'nothing';
  return new ToolFault('BAD_INPUT', path === '' ? what : `${path}: ${what}`, `${tool.name} takes ${known}`);
}

function sizeOf({ content, structuredContent }: CallToolResult): number {
  const sum = (sizes: number[]): number => sizes.reduce((all, one) => all + one, 0);
  const text = sum(content.map((part) => (part.type === 'text' ? part.text.length : 200)));
  const images = sum(content.map((part) => (part.type === 'image' ? part.data.length : 0)));
  return text + images + (structuredContent === undefined ? 0 : text);
}
