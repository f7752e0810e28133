import { CASES } from './cases/all.ts';
import type { RigCase } from './drive/steps.ts';
import type { RigAgent } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';

/** One run: a case, with an agent, in a terminal of a size. All is in names, so that it can be written down. */
export interface Cell {
  readonly agent: string;
  readonly case: string;
  readonly variant: string;
  readonly cols: number;
  readonly rows: number;
  /** The window gets narrower by a third once the first answer has begun, and is as before at the next turn. */
  readonly isResized: boolean;
}

/** What was asked for on the command line; absent lists are all. */
export interface Choice {
  readonly agents: readonly string[] | null;
  readonly cases: readonly string[] | null;
  readonly variants: readonly string[];
  readonly widths: readonly number[];
  readonly rows: number;
  readonly isResized: boolean;
}

/** What a cell names. Throws when there is no such thing. */
export interface KnownCell {
  readonly agents: readonly RigAgent[];
  readonly case: RigCase;
}

export function chooseCells({ agents, cases, variants, widths, rows, isResized }: Choice): Cell[] {
  const chosen = AGENTS.filter(({ name }) => agents?.includes(name) ?? true);
  return chosen.flatMap((agent) =>
    CASES.filter((one) => (cases?.includes(one.name) ?? true) && isPlayed(one, agent, isResized)).flatMap((one) =>
      variants
        .filter((variant) => agent.variants[variant] !== undefined)
        .flatMap((variant) =>
          widths.map((cols) => ({ agent: agent.name, case: one.name, variant, cols, rows, isResized, ...one.size })),
        ),
    ),
  );
}

export function knownCell({ agent, case: name }: Pick<Cell, 'agent' | 'case'>): KnownCell {
  const one = CASES.find((known) => known.name === name);
  if (!one) throw new Error(`no case "${name}"`);
  const names = one.agents ?? [agent];
  const agents = names.flatMap((wanted) => AGENTS.filter((known) => known.name === wanted));
  if (agents.length !== names.length) throw new Error(`no agent among ${names.join(', ')}`);
  return { agents, case: one };
}

export function nameOf({ agent, case: name, variant, cols, isResized }: Cell): string {
  return [agent, name, ...(variant === 'default' ? [] : [variant]), cols, ...(isResized ? ['resized'] : [])].join(' ');
}

function isPlayed(one: RigCase, agent: RigAgent, isResized: boolean): boolean {
  const isOurs = one.agents === undefined || one.agents[0] === agent.name;
  const isAble = one.steps.every(({ do: what }) =>
    what === 'compact' || what === 'help' ? agent[what] !== undefined : true,
  );
  return isOurs && isAble && !(isResized && one.resizes);
}
