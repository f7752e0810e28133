import { Scope } from '../contract/mcp/mcp.ts';
import type { Policy } from '../contract/mcp/policy.ts';

/** Those that hold the ones before them. */
const LADDER: readonly Scope[] = Scope.options.filter((scope) => scope !== 'raw');

/** What a client may do by its exact name, else by `*`, else nothing; in order, each scope with those before it. `raw` holds `observe`. */
export function scopesOf({ clients }: Policy, name: string): readonly Scope[] {
  const given = ruleFor(clients, name)?.scopes ?? [];
  const highest = Math.max(-1, ...given.map((scope) => (scope === 'raw' ? 0 : LADDER.indexOf(scope))));
  return [...LADDER.slice(0, highest + 1), ...(given.includes('raw') ? ['raw' as const] : [])];
}

/** What the person would write for a client so that it has `scope` besides what it has. */
export function scopesWith(policy: Policy, name: string, scope: Scope): readonly Scope[] {
  const held = scopesOf(policy, name);
  const highest = held.findLast((one) => one !== 'raw') ?? 'observe';
  if (scope === 'raw') return [highest, 'raw'];
  return held.includes('raw') ? [scope, 'raw'] : [scope];
}

export function hasScope(policy: Policy, name: string, scope: Scope): boolean {
  return scopesOf(policy, name).includes(scope);
}

/** Whether that client may put the question whether a command may run to its own person too. */
export function mayAskItsPerson({ clients, remote_approval }: Policy, name: string): boolean {
  return ruleFor(clients, name)?.remote_approval ?? remote_approval;
}

function ruleFor(clients: Policy['clients'], name: string): Policy['clients'][string] | undefined {
  return own(clients, name) ?? own(clients, '*');
}

function own(clients: Policy['clients'], name: string): Policy['clients'][string] | undefined {
  return Object.hasOwn(clients, name) ? clients[name] : undefined;
}
