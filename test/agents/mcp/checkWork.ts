import { expect } from 'vitest';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import type { Bed } from './Bed.ts';
import { BUILD, FORBIDDEN, NO, REPAIR, REPAIR_REASON } from './brokenBuild.ts';
import { factsOf } from './investigate.ts';
import type { McpAgent } from './McpAgent.ts';
import type { Person } from './Person.ts';

export interface Work {
  /** Id of the terminal in which the build failed. */
  readonly shellId: string;
  readonly person: Person;
  /** The results that the model got, one per call of its plan. */
  readonly results: readonly string[];
  /** Id of the terminal in which the agent runs, or null. */
  readonly callerPty: string | null;
}

/** Checks all results of a run: at the model, the person, in the terminal and in the audit log. */
export async function checkWork(bed: Bed, agent: McpAgent, work: Work): Promise<void> {
  checkTold(work.results);
  checkAsked(bed, agent, work);
  expect(bed.read('src/broken.js')).toBe(BUILD.files['src/fixed.js']);
  const cards = (await bed.blocks(work.shellId)).map(({ cmd, actor, exitCode }) => ({ cmd, actor, exitCode }));
  expect(cards).toEqual([
    { cmd: BUILD.command, actor: 'user', exitCode: 1 },
    { cmd: REPAIR, actor: `agent:${agent.client}`, exitCode: 0 },
  ]);
  await checkAudit(bed, agent, work);
}

/** Expects the error from 5,000 lines in a few hundred characters, output of programs framed as untrusted, and a reason in the refusal. */
function checkTold(results: readonly string[]): void {
  const [listed = '', since = '', read = '', ran = '', refused = ''] = results;
  expect(read).toMatch(
    /\[terminal output · untrusted · pty \S+ · block \S+ · boundary ([0-9a-f]{6})\][\s\S]*\[end \1\]/,
  );
  expect(read).toContain(BUILD.error);
  expect(read).toContain('src/broken.js:2');
  expect(read.length).toBeLessThan(900);
  expect(since.length).toBeLessThan(1_100);
  for (const text of [listed, since, ran, refused]) expect(text).toContain('terminal output · untrusted');
  expect(factsOf(ran)).toMatchObject({ status: 'completed', decision: { by: 'user' }, block: { exit_code: 0 } });
  expect(ran).toContain('the build is whole');
  expect(factsOf(refused)).toMatchObject({ status: 'denied', code: 'DENIED_BY_USER' });
  expect(refused).toContain(NO);
}

/** Expects one approval per command with its exact text, from the verified client in `callerPty`, and no other approvals. */
function checkAsked(bed: Bed, { client }: McpAgent, { person, shellId, callerPty }: Work): void {
  const asked = person.asked.map(({ cmd, shown, reason, cwd, terminalId, client: by }) => ({
    cmd,
    shown: shown.map(({ text, hidden }) => (hidden ? `<${text}>` : text)).join(''),
    reason,
    cwd,
    terminalId,
    by: { name: by.name, terminalId: by.terminalId, isVerified: by.isVerified },
  }));
  const by = { name: client, terminalId: callerPty, isVerified: true };
  const place = { cwd: bed.project, terminalId: shellId, by };
  expect(asked).toEqual([
    { cmd: REPAIR, shown: REPAIR, reason: REPAIR_REASON, ...place },
    { cmd: FORBIDDEN, shown: FORBIDDEN, reason: 'so that all have it', ...place },
  ]);
}

async function checkAudit(bed: Bed, { client }: McpAgent, { shellId, callerPty }: Work): Promise<void> {
  const verified = await bed.hansard('audit', 'verify');
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringMatching(/^log intact: /) });
  const had = async (only: 'did' | 'read'): Promise<AuditLine[]> =>
    JSON.parse((await bed.hansard('audit', '--json', '--only', only)).stdout).lines;
  const lines = (await had('did'))
    .filter(({ pty }) => pty === shellId || pty === callerPty)
    .map(({ tool, what, decision, rule, caller_pty, client: by }) => ({ tool, what, decision, rule, caller_pty, by }));
  const of = { tool: 'pty_exec', caller_pty: callerPty, by: client };
  const own = { ...of, what: 'echo yes', decision: 'refused', rule: 'SELF_PTY' };
  expect(lines).toEqual([
    { ...of, what: REPAIR, decision: 'approved', rule: 'once' },
    { ...of, what: FORBIDDEN, decision: 'denied', rule: 'user' },
    ...(callerPty === null ? [] : [own]),
  ]);
  const read = (await had('read')).filter((line) => line.client === client && line.decision === 'allowed');
  expect(read.map(({ tool, pty }) => ({ tool, pty }))).toEqual(
    expect.arrayContaining([
      { tool: 'pty_list', pty: null },
      { tool: 'blocks_since', pty: shellId },
      { tool: 'blocks_read', pty: shellId },
    ]),
  );
}
