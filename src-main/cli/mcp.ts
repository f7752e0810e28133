import { type Command, Option } from 'commander';
import { PROFILES, type Profile } from '../contract/mcpWire.ts';
import { helpText } from './help.ts';
import { bridgeHere, bridgeHome } from './mcp/bridge.ts';
import { addMcpDoctor } from './mcp/doctor.ts';
import { addMcpSetup } from './mcp/setup.ts';

export function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('the bridge that an MCP client starts: from its stdin and stdout to the Hansard that runs')
    .addOption(profileOption())
    .addOption(channelOption())
    .option('--home <dir>', 'data folder of the Hansard that is meant, where it is not the usual one')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'software'] }))
    .action(({ profile, home, channel = false }: { profile: Profile; home?: string; channel?: boolean }) =>
      bridgeHere({ profile, home: bridgeHome(home, process.env), hasChannel: channel }),
    );
  addMcpSetup(mcp);
  addMcpDoctor(mcp);
}

export function profileOption(): Option {
  return new Option('--profile <name>', 'which tools are listed; what may be done is for the policy alone to say')
    .choices(PROFILES)
    .default('standard');
}

/** Of the bridge, and of the setup that writes it down. */
export function channelOption(): Option {
  return new Option(
    '--channel',
    'what a watch of pty_notify found speaks up in the session of a client that knows channels',
  );
}

const NOTES = [
  'It is not for people to start: `hansard mcp setup` writes it into the configuration of a client. It outlives Hansard: while',
  'none runs its tools say so, and when one runs again they work again. It ends when the client closes its stdin.',
];
const EXAMPLES = [
  ['hansard mcp setup --help', 'which clients it can be written into'],
  ['hansard mcp doctor', 'whether it works, all the way'],
] as const;
