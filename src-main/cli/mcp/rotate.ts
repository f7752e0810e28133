import { homedir } from 'node:os';
import type { Command } from 'commander';
import { endpointPlace, readEndpoints } from '../../store/instance/mcpEndpoint.ts';
import { rotateHttpKey } from '../../store/instance/mcpHttpKey.ts';
import { helpText } from '../print/help.ts';
import { printLines } from '../print/output.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { bridgeHome } from './bridge.ts';
import { checkHttp } from './checkHttp.ts';

export function addMcpRotate(mcp: Command): void {
  mcp
    .command('rotate-token')
    .description('Replace the token of MCP over HTTP')
    .option('--home <dir>', 'data folder of the Hansard to change (default: see Environment in `hansard --help`)')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'software', 'ioError'] }))
    .action((_, command: Command) => rotate(command.optsWithGlobals<{ home?: string }>().home));
}

const NOTES = [
  'The old token stops working at once, and connections that used it are closed. `hansard mcp doctor --show-token` prints the new',
  'entry for a client. The socket of the bridge has its own token, which changes at every start.',
];
const EXAMPLES = [['hansard mcp rotate-token', 'make a new token']] as const;

async function rotate(home: string | undefined): Promise<void> {
  const meant = bridgeHome(home, process.env);
  const { token } = await rotateHttpKey(meant ?? currentDataFolder());
  const found = readEndpoints(meant, endpointPlace(process.env, process.platform, homedir()));
  const url = found.flatMap((one) => (one.status === 'ok' ? (one.endpoint.httpUrl ?? []) : []))[0];
  if (url === undefined) return printLines(['MCP over HTTP has a new token, but is off.']);
  // The first request with the new token closes the connections that used the old one.
  const check = await checkHttp({ httpUrl: url, httpToken: token }, { showsToken: false });
  await printLines([
    check.status === 'bad'
      ? `MCP over HTTP has a new token, but ${check.text}`
      : 'MCP over HTTP has a new token. Clients with the old token are refused.',
  ]);
}
