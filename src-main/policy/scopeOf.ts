import { Scope } from '../contract/mcp.ts';
import type { Policy } from '../contract/policy.ts';

/** What a client may do by its exact name, else by `*`, else nothing; in order, each scope with those before it. */
export function scopesOf({ clients }: Policy, name: string): readonly Scope[] {
  const rule = ruleFor(clients, name);
  const highest = Math.max(-1, ...(rule?.scopes ?? []).map((scope) => Scope.options.indexOf(scope)));
  return Scope.options.slice(0, highest + 1);
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
