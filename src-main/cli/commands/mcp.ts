import type { Command } from 'commander';
import type { Profile } from '../../contract/mcp/mcpWire.ts';
import { bridgeHere, bridgeHome } from '../mcp/bridge.ts';
import { addMcpDoctor } from '../mcp/doctor.ts';
import { channelOption, profileOption } from '../mcp/mcpOptions.ts';
import { addMcpRotate } from '../mcp/rotate.ts';
import { addMcpSetup } from '../mcp/setup.ts';
import { helpText } from '../print/help.ts';

export function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('Connect an MCP client to Hansard')
    .addOption(profileOption())
    .addOption(channelOption())
    .option('--home <dir>', 'data folder of the Hansard to connect to (default: see Environment in `hansard --help`)')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'software'] }))
    .action(({ profile, home, channel = false }: { profile: Profile; home?: string; channel?: boolean }) =>
      bridgeHere({ profile, home: bridgeHome(home, process.env), hasChannel: channel }),
    );
  addMcpSetup(mcp);
  addMcpDoctor(mcp);
  addMcpRotate(mcp);
}

const NOTES = [
  'An MCP client starts this command; `hansard mcp setup` adds it to the configuration of a client. The bridge survives restarts of',
  'Hansard: its tools report that Hansard is not running and work again when it is. It ends when the client closes its stdin.',
];
const EXAMPLES = [
  ['hansard mcp setup --help', 'list the clients that can be set up'],
  ['hansard mcp doctor', 'test the whole connection'],
] as const;
