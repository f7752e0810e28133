import { basename } from 'node:path';
import type { Command } from 'commander';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import type { CaptureSpec } from './runCapture.ts';

/** The arguments become names of folders, and of the extractor. */
const AGENT = /^[a-z][a-z0-9-]{0,39}$/;
const PART = /^[A-Za-z0-9][\w.+-]{0,39}$/;
const NOTES = [
  'Ctrl+] marks the moment, then a key says what it is: w working, u sent, i idle, a asks for approval, q for input,',
  'd answered, m says, t tool. Type what you sent or what the agent said (Ctrl+J breaks a line), and Return.',
  'Escape goes back; Ctrl+] twice sends Ctrl+] to the agent.',
  'Writes AGENT/VERSION-CASE with session.cast, expected.json and screens.txt, secrets redacted. docs/guide/add-an-agent.md goes on from there.',
];
const EXAMPLES = [
  ['hansard agents capture -- acme', 'record `acme` in acme/unknown-basic'],
  ['hansard agents capture -o test/fixtures/agents --agent-version 1.2 -- acme', 'record a test fixture'],
] as const;

interface Options {
  readonly name?: string;
  readonly agentVersion: string;
  readonly case: string;
  readonly output: string;
}

export function addCapture(agents: Command): void {
  agents
    .command('capture')
    .description('Record an agent for a new extractor')
    .argument('<command...>', 'the agent and its arguments, after --')
    .option('-n, --name <name>', 'name of the agent (default: that of the program)')
    .option('--agent-version <version>', 'version of the agent', 'unknown')
    .option('--case <case>', 'what the recording shows', 'basic')
    .option('-o, --output <folder>', 'folder in which AGENT/VERSION-CASE is made', '.')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software', 'ioError'] }),
    )
    .action(capture);
}

async function capture(command: string[], options: Options): Promise<void> {
  const spec = specOf(command, options);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError('you use the agent while it is recorded: run this in a terminal, without pipes.', EXIT.usage);
  // Imported here, because it loads the emulator and the PTY, which no reading command needs.
  const { runCapture } = await import('./runCapture.ts');
  await runCapture(spec);
}

function specOf(command: readonly string[], { name, agentVersion, case: what, output }: Options): CaptureSpec {
  const agent = name ?? basename(command[0] ?? '').toLowerCase();
  if (!AGENT.test(agent))
    throw new CliError(`"${agent}" cannot be the name of an agent: use a-z, 0-9 and -, as in --name acme.`, EXIT.usage);
  for (const [option, text] of [['--agent-version', agentVersion] as const, ['--case', what] as const])
    if (!PART.test(text))
      throw new CliError(
        `${option} "${text}" cannot be part of a folder’s name: use letters, digits, . and -.`,
        EXIT.usage,
      );
  return { agent, version: agentVersion, case: what, into: output, command };
}
