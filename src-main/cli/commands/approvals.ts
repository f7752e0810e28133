import { Argument, type Command } from 'commander';
import { type Approval, ApprovalAnswer } from '../../contract/mcp/approval.ts';
import { isOffered } from '../../contract/mcp/isOffered.ts';
import { shownHash } from '../../contract/mcp/shownHash.ts';
import { followApprovals } from '../approvals/followApprovals.ts';
import { refuseOwn, shownCommand } from '../approvals/shownApproval.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { findId } from '../record/findId.ts';
import { inTime, type LiveCore } from '../record/LiveCore.ts';
import { withRunningCore } from '../record/withRunningCore.ts';

const EXITS = ['ok', 'negative', 'usage', 'noInput', 'unavailable', 'software', 'ioError'] as const;
const NOTES = [
  'At a terminal it asks about each request as it arrives: y (once), e (this exact command here until the terminal is closed), p (every',
  'command with this prefix, here until then), n (no). Any other key means no. In a pipe it lists the open requests.',
  'Invisible characters are written by name. A request is open for 30 seconds. The hash covers the command, its folder, terminal and',
  'screen, and an approval holds for exactly these; the window and the client show the same hash (--json: all of its digits).',
];
const EXAMPLES = [
  ['hansard approvals', 'answer requests as they arrive'],
  ['hansard approvals --json', 'list open requests'],
  ['hansard approvals answer a-1f2e once', 'approve it once'],
  ["hansard approvals answer a-1f2e deny --reason 'use the test database'", 'deny it, with a reason'],
] as const;

const ABSENT = 'there are no requests';

export function addApprovals(program: Command): void {
  const approvals = program
    .command('approvals')
    .description('Answer what outside clients ask to run')
    .option('--json', 'one JSON document of the open requests: {version, approvals}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(list);
  approvals
    .command('answer')
    .description('Answer a request')
    .argument('<id>', 'id of a request, or the start of one')
    .addArgument(new Argument('<choice>', 'your answer').choices(['once', 'exact', 'prefix', 'deny']))
    .option('--reason <text>', 'sent to the client when you deny')
    .addHelpText('after', helpText({ examples: EXAMPLES, exits: EXITS }))
    .action(answer);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    if (!json && process.stdin.isTTY && process.stdout.isTTY) return followApprovals(core);
    const approvals = await openApprovals(core);
    if (json) return printJson({ version: 1, approvals });
    if (approvals.length === 0) return remark('no open requests.');
    await printLines(formatTable(COLUMNS, approvals, outputColumns()));
  });
}

async function answer(wanted: string, choice: string, { reason = '' }: { reason?: string }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const open = await openApprovals(core);
    if (open.length === 0) throw new CliError('no open requests.', EXIT.noInput);
    const approval = findId(
      wanted,
      open.map((one) => ({ id: one.id, label: shownCommand(one), one })),
      'approval',
    ).one;
    const said = ApprovalAnswer.safeParse(choice === 'deny' ? { choice, reason } : { choice });
    if (!said.success) throw new CliError('a reason has at most 300 characters.', EXIT.usage);
    if (choice !== 'deny') refuseOwn(approval);
    const isTaken = await inTime(core.connection.api.approval.answer.mutate({ id: approval.id, answer: said.data }));
    if (isTaken) return;
    const isGone = isOffered(approval, said.data.choice);
    throw new CliError(isGone ? 'it is not open any more.' : `"${choice}" is not offered for that.`, EXIT.negative);
  });
}

/** The approvals that are open now. */
function openApprovals(core: LiveCore): Promise<Approval[]> {
  const all = new Promise<Approval[]>((resolve, reject) => {
    const following = core.connection.api.approval.onChange.subscribe(undefined, {
      onData: (change) => {
        if (change.type !== 'all') return;
        resolve(change.approvals);
        following.unsubscribe();
      },
      onError: reject,
    });
  });
  return inTime(all);
}

const COLUMNS: readonly Column<Approval>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'CLIENT', text: ({ client }) => client.name },
  { title: 'TERMINAL', text: ({ terminalId }) => terminalId },
  { title: 'RULE', text: ({ rule }) => rule },
  { title: 'HASH', text: shownHash },
  { title: 'COMMAND', text: shownCommand },
];
