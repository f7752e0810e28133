import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from './cases/all.ts';
import { compare, emptyScore } from './compare/compare.ts';
import { formatScores, type ScoredCase } from './compare/formatScores.ts';
import { record } from './drive/record.ts';
import { installedVersion } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';

/** Agents of the rig's table in the specification, with the most informative short cases. `npm run test:agents` plays all. */
const PLAYED = ['claude', 'gemini', 'codex'];
const CHOSEN = ['short-turns', 'long', 'burst', 'tools', 'two-agents'];
const SIZE = { cols: 100, rows: 30, isResized: false };
const scores: ScoredCase[] = [];

/** Reason to skip an agent, or null. Real agents take minutes, so they run only on request and if they are installed. */
function missing(agent: (typeof AGENTS)[number]): string | null {
  if (process.env.HANSARD_TEST_AGENTS !== '1') return 'the real agents are played where HANSARD_TEST_AGENTS=1';
  return installedVersion(agent) === null ? `${agent.name} is not installed (npm ci in test/agents)` : null;
}

afterAll(() => {
  if (scores.length > 0) process.stdout.write(`${formatScores(scores)}\n`);
});

describe.each(AGENTS.filter(({ name }) => PLAYED.includes(name)))('$name, at work in the app', (agent) => {
  const cases = CASES.filter(
    ({ name, agents }) => CHOSEN.includes(name) && (agents === undefined || agents[0] === agent.name),
  );

  test.for(cases)('$name: $about', async (one, context) => {
    const reason = missing(agent);
    if (reason !== null) return context.skip(reason);
    const agents = one.agents ? one.agents.flatMap((name) => AGENTS.filter((known) => known.name === name)) : [agent];
    const { recordings } = await record({ case: one, agents, variant: 'default', ...SIZE, ...one.size });
    const [result = { ...emptyScore(), faults: ['nothing was recorded'] }] = recordings.map(({ expected, recorded }) =>
      compare(expected, recorded),
    );
    scores.push({ name: `${agent.name} ${one.name}`, score: result });
    const { said, found, invented, duplicated, tools, toolsFound, toolsInvented } = result;
    expect({ found, invented, duplicated, toolsFound, toolsInvented }, result.faults.join('\n')).toEqual({
      found: said,
      invented: 0,
      duplicated: 0,
      toolsFound: tools,
      toolsInvented: 0,
    });
  });
});
