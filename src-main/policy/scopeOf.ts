import { Scope } from '../contract/mcp/mcp.ts';
import type { Policy } from '../contract/mcp/policy.ts';

/** The scopes in ascending order; each includes the ones before it. */
const LADDER: readonly Scope[] = Scope.options.filter((scope) => scope !== 'raw');

/** The facts about a client that a policy uses. */
export interface PolicyClient {
  /** The client's own name. */
  readonly name: string;
  /** Whether its process runs the program at that path, according to the kernel. */
  isRunning(program: string): boolean;
}

/**
 * The scopes of a client by its exact name, else by `*`, else none; in order, each with those before it. `raw` includes `observe`. A rule with a
 * program applies only to that program: any other process with the same client name gets the scopes of `*`.
 */
export function scopesOf({ clients }: Policy, client: PolicyClient): readonly Scope[] {
  const given = ruleFor(clients, client)?.scopes ?? [];
  const highest = Math.max(-1, ...given.map((scope) => (scope === 'raw' ? 0 : LADDER.indexOf(scope))));
  return [...LADDER.slice(0, highest + 1), ...(given.includes('raw') ? ['raw' as const] : [])];
}

/** The scopes that the person would write for a client to add `scope` to its current ones. */
export function scopesWith(policy: Policy, client: PolicyClient, scope: Scope): readonly Scope[] {
  const held = scopesOf(policy, client);
  const highest = held.findLast((one) => one !== 'raw') ?? 'observe';
  if (scope === 'raw') return [highest, 'raw'];
  return held.includes('raw') ? [scope, 'raw'] : [scope];
}

export function hasScope(policy: Policy, client: PolicyClient, scope: Scope): boolean {
  return scopesOf(policy, client).includes(scope);
}

/** Whether the client may also ask its own person to approve a command. */
export function mayAskItsPerson({ clients, remote_approval }: Policy, client: PolicyClient): boolean {
  return ruleFor(clients, client)?.remote_approval ?? remote_approval;
}

/** The program that the rule of that name requires, if the client runs another one. */
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
