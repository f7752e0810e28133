import { CASES } from './cases/all.ts';
import { VERSION_CASE } from './cases/basic.ts';
import { randomCase } from './cases/random.ts';
import type { RigCase } from './drive/steps.ts';
import type { RigAgent } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';
import { atVersion, RigError } from './launch/versions.ts';

/** One run: a case, with an agent, in a terminal of a size. All is in names, so that it can be written down. */
export interface Cell {
  readonly agent: string;
  /** Of the agent. Absent: the one that test/agents pins. */
  readonly version?: string;
  readonly case: string;
  readonly variant: string;
  readonly cols: number;
  readonly rows: number;
  /** The window gets narrower by a third once the first answer has begun, and is as before at the next turn. */
  readonly isResized: boolean;
}

/** An agent by its name, in a version, or in the one that test/agents pins. */
export interface ChosenAgent {
  readonly name: string;
  readonly version: string | null;
}

/** What was asked for on the command line; absent lists are all. */
export interface Choice {
  readonly agents: readonly ChosenAgent[];
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
  return agents.flatMap(({ name, version }) => {
    const agent = agentOf(name, version);
    // Another version than the pinned one shows what differs in one short case.
    const names = cases ?? (version === null ? null : [VERSION_CASE]);
    const played = (names?.map(caseNamed) ?? CASES).filter((one) => isPlayed(one, agent, isResized));
    return played.flatMap((one) =>
      variants
        .filter((variant) => agent.variants[variant] !== undefined)
        .flatMap((variant) =>
          widths.map((cols) => ({
            agent: agent.name,
            ...(version !== null && { version }),
            ...{ case: one.name, variant, cols, rows, isResized, ...one.size },
          })),
        ),
    );
  });
}

function caseNamed(name: string): RigCase {
  const one = CASES.find((known) => known.name === name) ?? randomCase(name);
  if (!one) throw new RigError(`unknown case "${name}": choose from ${CASES.map((known) => known.name).join(', ')}`);
  return one;
}

function agentOf(name: string, version: string | null): RigAgent {
  const agent = AGENTS.find((known) => known.name === name);
  if (!agent) throw new Error(`no agent "${name}"`);
  return atVersion(agent, version);
}

export function knownCell({ agent, version, case: name }: Pick<Cell, 'agent' | 'version' | 'case'>): KnownCell {
  const one = caseNamed(name);
  const names = one.agents ?? [agent];
  return { agents: names.map((wanted) => agentOf(wanted, wanted === agent ? (version ?? null) : null)), case: one };
}

export function nameOf({ agent, version, case: name, variant, cols, isResized }: Cell): string {
  return [
    version === undefined ? agent : `${agent}@${version}`,
    name,
    ...(variant === 'default' ? [] : [variant]),
    cols,
    ...(isResized ? ['resized'] : []),
  ].join(' ');
}

function isPlayed(one: RigCase, agent: RigAgent, isResized: boolean): boolean {
  const isOurs = one.agents === undefined || one.agents[0] === agent.name;
  const isAble = one.steps.every(({ do: what }) =>
    what === 'compact' || what === 'help' ? agent[what] !== undefined : true,
  );
  return isOurs && (isAble || one.isAdaptable === true) && !(isResized && one.resizes);
}
