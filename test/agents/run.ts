// The rig: every case, with the real agents, through the app. `node test/agents/run.ts --help` tells what can be chosen.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES } from './cases/all.ts';
import { chatOfRecording } from './compare/chatOfRecording.ts';
import { addScores, type Comparison, compare, emptyScore, type Score } from './compare/compare.ts';
import { findRecordings } from './compare/findRecordings.ts';
import { formatScores, type ScoredCase } from './compare/formatScores.ts';
import { type Recording, record, writeRecording } from './drive/record.ts';
import type { RigCase } from './drive/steps.ts';
import { installedVersion, type RigAgent } from './launch/Agent.ts';
import { AGENTS } from './launch/agents.ts';

const HELP = `node test/agents/run.ts [options]
  --agent NAME,...    these agents only (${AGENTS.map(({ name }) => name).join(', ')})
  --case NAME,...     these cases only
  --variant NAME      another way to start the agent than its default (classic, inline)
  --width COLS        of the terminal (100)
  --height ROWS       of the terminal (30)
  --record            write the recordings into test/fixtures/agents
  --keep FOLDER       write the recordings into a folder, also of cases that went wrong
  --replay            play the recordings of test/fixtures/agents in place of the agents: nothing needs to be installed
  --offline           compare what the recording's screens tell, not what the app recorded while it ran
  --quiet             the table only, without what is wrong
The agents are installed by \`npm ci\` in test/agents. Those that are not installed are skipped.`;

const FIXTURES = new URL('../fixtures/agents', import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    agent: { type: 'string' },
    case: { type: 'string' },
    variant: { type: 'string', default: 'default' },
    width: { type: 'string', default: '100' },
    height: { type: 'string', default: '30' },
    record: { type: 'boolean', default: false },
    keep: { type: 'string' },
    replay: { type: 'boolean', default: false },
    offline: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = await main();

/** 0 when all that was said was found, and nothing else. */
async function main(): Promise<number> {
  const results: ScoredCase[] = [];
  let hasFailed = false;
  if (values.replay) return await replay();
  for (const agent of AGENTS.filter(({ name }) => isChosen(values.agent, name))) {
    if (installedVersion(agent) === null) {
      console.log(`${agent.name}: skipped, it is not installed (npm ci in test/agents)`);
      continue;
    }
    for (const one of CASES.filter((known) => isPlayed(known, agent))) {
      const result = await play(agent, one);
      if (result) results.push({ name: `${agent.name} ${one.name}`, score: result });
      hasFailed ||= result === null || !isPerfect(result);
    }
  }
  printTable(results);
  return hasFailed ? 1 : 0;
}

async function replay(): Promise<number> {
  const results: ScoredCase[] = [];
  for (const { name, cast, expected } of findRecordings()) {
    if (!isChosen(values.agent, expected.agent) || !isChosen(values.case, expected.case)) continue;
    const score = compare(expected, await chatOfRecording(cast, expected));
    tell(name, score.faults);
    results.push({ name, score });
  }
  printTable(results);
  return results.every(({ score }) => isPerfect(score)) ? 0 : 1;
}

function printTable(results: readonly ScoredCase[]): void {
  const all = results.reduce((sum, { score }) => addScores(sum, score), emptyScore());
  console.log(formatScores([...results, { name: 'all', score: all }]));
}

function isPlayed({ name, agents }: RigCase, agent: RigAgent): boolean {
  const isOurs = agents === undefined ? true : agents[0] === agent.name;
  return isOurs && isChosen(values.case, name) && agent.variants[values.variant] !== undefined;
}

async function play(agent: RigAgent, one: RigCase): Promise<Comparison | null> {
  const agents = one.agents ? one.agents.flatMap((name) => AGENTS.filter((known) => known.name === name)) : [agent];
  const size = { cols: Number(values.width), rows: Number(values.height), ...one.size };
  try {
    const recording = await record({ case: one, agents, variant: values.variant, ...size });
    const result = await judge(recording);
    const target = values.record ? FIXTURES : values.keep;
    if (target) writeRecording(target, recording);
    tell(`${agent.name} ${one.name}`, [...recording.problems, ...result.faults]);
    return result;
  } catch (error) {
    tell(`${agent.name} ${one.name}`, [`was not played to its end: ${String(error)}`]);
    return null;
  }
}

async function judge({ expected, recorded, cast }: Recording): Promise<Comparison> {
  if (!values.offline) return compare(expected, recorded);
  const folder = join(process.env.TMPDIR ?? '/tmp', 'hansard-rig');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${process.pid}.cast`);
  writeFileSync(path, cast);
  return compare(expected, await chatOfRecording(path, expected));
}

function tell(name: string, faults: readonly string[]): void {
  console.log(faults.length === 0 ? `${name}: as said` : `${name}: ${faults.length} faults`);
  if (!values.quiet) for (const fault of faults) console.log(`  ${fault}`);
}

function isPerfect({ said, found, invented, duplicated, tools, toolsFound }: Score): boolean {
  return said === found && invented === 0 && duplicated === 0 && tools === toolsFound;
}

function isChosen(list: string | undefined, name: string): boolean {
  return list === undefined || list.split(',').includes(name);
}
