import { Scope } from '../contract/mcp/mcp.ts';
import type { Policy } from '../contract/mcp/policy.ts';

/** Those that hold the ones before them. */
const LADDER: readonly Scope[] = Scope.options.filter((scope) => scope !== 'raw');

/** A client as a policy names it. */
export interface PolicyClient {
  /** What it calls itself. */
  readonly name: string;
  /** Whether its process runs the program at that path, according to the kernel. */
  isRunning(program: string): boolean;
}

/**
 * What a client may do by its exact name, else by `*`, else nothing; in order, each scope with those before it. `raw` holds `observe`. A rule that
 * names a program is for that program alone: anything else that takes its client's name has what `*` has.
 */
export function scopesOf({ clients }: Policy, client: PolicyClient): readonly Scope[] {
  const given = ruleFor(clients, client)?.scopes ?? [];
  const highest = Math.max(-1, ...given.map((scope) => (scope === 'raw' ? 0 : LADDER.indexOf(scope))));
  return [...LADDER.slice(0, highest + 1), ...(given.includes('raw') ? ['raw' as const] : [])];
}

/** What the person would write for a client so that it has `scope` besides what it has. */
export function scopesWith(policy: Policy, client: PolicyClient, scope: Scope): readonly Scope[] {
  const held = scopesOf(policy, client);
  const highest = held.findLast((one) => one !== 'raw') ?? 'observe';
  if (scope === 'raw') return [highest, 'raw'];
  return held.includes('raw') ? [scope, 'raw'] : [scope];
}

export function hasScope(policy: Policy, client: PolicyClient, scope: Scope): boolean {
  return scopesOf(policy, client).includes(scope);
}

/** Whether that client may put the question whether a command may run to its own person too. */
export function mayAskItsPerson({ clients, remote_approval }: Policy, client: PolicyClient): boolean {
  return ruleFor(clients, client)?.remote_approval ?? remote_approval;
}

/** The program that the rule of that name is for, where the client runs another one. */
export function expectedProgram({ clients }: Policy, { name, isRunning }: PolicyClient): string | null {
  const program = own(clients, name)?.program;
  return program === undefined || isRunning(program) ? null : program;
}

function ruleFor(clients: Policy['clients'], { name, isRunning }: PolicyClient): Policy['clients'][string] | undefined {
  const rule = own(clients, name);
  return rule && (rule.program === undefined || isRunning(rule.program)) ? rule : own(clients, '*');
}

function own(clients: Policy['clients'], name: string): Policy['clients'][string] | undefined {
  return Object.hasOwn(clients, name) ? clients[name] : undefined;
}
