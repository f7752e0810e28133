import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { installedVersion } from '../launch/Agent.ts';
import { Bed } from './Bed.ts';
import { NO, REPAIR } from './brokenBuild.ts';
import { checkChat } from './checkChat.ts';
import { checkWork } from './checkWork.ts';
import { converse, lastOf, startAgent } from './converse.ts';
import { investigate, modelOf, told } from './investigate.ts';
import { MCP_AGENTS, type McpAgent } from './McpAgent.ts';
import { Person } from './Person.ts';

const PLAYED = process.env.HANSARD_TEST_AGENTS === '1';
const INSTALLED = MCP_AGENTS.filter(({ rig }) => installedVersion(rig) !== null);

let bed: Bed;
let turn = 0;

beforeAll(async () => {
  if (PLAYED && INSTALLED.length > 0) bed = await Bed.start(INSTALLED);
});
afterAll(() => bed?.dispose());

describe.each(MCP_AGENTS.map((agent) => ({ name: agent.rig.name, agent })))('$name', ({ name, agent }) => {
  beforeAll(async () => {
    if (!PLAYED || !INSTALLED.includes(agent)) return;
    const { code, stdout, stderr } = await bed.hansard('mcp', 'setup', name);
    expect([code, stderr], stdout).toEqual([0, '']);
  });

  test('in a terminal of Hansard finds the error of a build, repairs it when it may, and is refused what it may not', async (context) => {
    skipUnlessPlayed(agent, context);
    const { shell, person, prompt } = await scene();
    const { id, seat } = await bed.open();
    onTestFinished(() => bed.close(id));
    await startAgent(agent, seat);
    const talk = { prompt, replies: modelOf(agent, investigate) };
    const last = await converse(agent, talk, { seat, model: bed.model }).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${await seat.text()}\n${bed.model.problems.join('\n')}`);
    });
    const results = told(agent, last.results);
    expect(results[5]).toMatch(/SELF_PTY/);
    await checkWork(bed, agent, { shellId: shell.id, person, results, callerPty: id });
    await checkChat(bed, agent, { terminalId: id, prompt });
  });

  test('outside of Hansard it does the same', async (context) => {
    skipUnlessPlayed(agent, context);
    const { shell, person, prompt } = await scene();
    const talk = { prompt, replies: modelOf(agent, investigate) };
    bed.model.load(talk);
    const killed = new AbortController();
    onTestFinished(() => killed.abort());
    const { code, stdout, stderr } = await bed.run(agent.headless(prompt), killed.signal);
    const last = lastOf(bed.model, talk);
    expect([code, stdout], stderr.slice(-3000)).toEqual([0, expect.stringContaining('the build is whole again')]);
    await checkWork(bed, agent, {
      shellId: shell.id,
      person,
      results: told(agent, last?.results ?? []),
      callerPty: null,
    });
  });
});

function skipUnlessPlayed({ rig }: McpAgent, context: TestContext): void {
  if (!PLAYED) context.skip('the real agents are played where HANSARD_TEST_AGENTS=1');
  if (installedVersion(rig) === null) context.skip(`${rig.name} is not installed (npm ci in test/agents)`);
}

/** A failed build in a terminal, a person who allows only the repair, and a new prompt. */
async function scene() {
  turn += 1;
  const shell = await bed.failedBuild();
  onTestFinished(() => bed.close(shell.id));
  const person = new Person(bed.api, ({ cmd }) =>
    cmd === REPAIR ? { choice: 'once' } : { choice: 'deny', reason: NO },
  );
  onTestFinished(() => person.dispose());
  expect(shell.block).toMatchObject({ exitCode: 1, outputLines: expect.any(Number) });
  return { shell, person, prompt: `Why did build ${turn} fail? Please repair it` };
}
