import { CASES } from './cases/all.ts';
import { VERSION_CASE } from './cases/basic.ts';
import { randomCase } from './cases/random.ts';
import type { RigCase } from './drive/steps.ts';
import type { RigAgent } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';
import { atVersion, RigError } from './launch/versions.ts';

/** One run: a case, an agent, and the size of the terminal. All fields are plain values, so that a file can store them. */
export interface Cell {
  readonly agent: string;
  /** The agent's version. Absent: the one that test/agents pins. */
  readonly version?: string;
  readonly case: string;
  readonly variant: string;
  readonly cols: number;
  readonly rows: number;
  /** The window shrinks by a third of its width once the first answer has begun, and gets its old width at the next turn. */
  readonly isResized: boolean;
}

/** An agent by name, and its version; null is the one that test/agents pins. */
export interface ChosenAgent {
  readonly name: string;
  readonly version: string | null;
}

/** Choices of the command line. `cases` null: all cases, or only VERSION_CASE for a version other than the pinned one. */
export interface Choice {
  readonly agents: readonly ChosenAgent[];
  readonly cases: readonly string[] | null;
  readonly variants: readonly string[];
  readonly widths: readonly number[];
  readonly rows: number;
  readonly isResized: boolean;
}

/** The agents and the case of a cell. `knownCell` throws for an unknown name. */
export interface KnownCell {
  readonly agents: readonly RigAgent[];
  readonly case: RigCase;
}

export function chooseCells({ agents, cases, variants, widths, rows, isResized }: Choice): Cell[] {
  return agents.flatMap(({ name, version }) => {
    const agent = agentOf(name, version);
    // For a version other than the pinned one, one short case is enough to show differences.
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
