import { homedir } from 'node:os';
import type { Command } from 'commander';
import { endpointPlace } from '../../store/instance/mcpEndpoint.ts';
import { formatCheck } from '../doctor/Check.ts';
import { EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines } from '../print/output.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { bridgeHome } from './bridge.ts';
import { checkClients, checkPolicy, checkWay } from './checkMcp.ts';
import { setupPlace } from './setup.ts';

export function addMcpDoctor(mcp: Command): void {
  mcp
    .command('doctor')
    .description('Test the MCP connection, diagnose problems and suggest fixes')
    .option('--home <dir>', 'data folder of the Hansard to test (default: see Environment in `hansard --help`)')
    .option('--show-token', 'print the token for MCP over HTTP; anybody who has it has your rights as a client')
    .option('--json', 'one JSON document: {version, healthy, dataFolder, checks}')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'negative', 'usage', 'software', 'ioError'] }),
    )
    .action((_, command: Command) => report(command.optsWithGlobals()));
}

const NOTES = ['Changes nothing. A problem (✗) makes the exit code 1; a warning does not.'];
const EXAMPLES = [
  ['hansard mcp doctor', 'run all checks'],
  ["hansard mcp doctor --json | jq '.checks[] | select(.fix)'", 'list the problems that have a fix'],
] as const;

interface DoctorOptions {
  home?: string;
  json?: boolean;
  showToken?: boolean;
}

async function report({ home, json, showToken }: DoctorOptions): Promise<void> {
  const meant = bridgeHome(home, process.env);
  const dataFolder = meant ?? currentDataFolder();
  const checks = [
    ...(await checkWay(meant, endpointPlace(process.env, process.platform, homedir()), {
      showsToken: showToken === true,
    })),
    checkPolicy(dataFolder),
    ...(await checkClients(setupPlace())),
  ];
  const healthy = checks.every(({ status }) => status !== 'bad');
  if (json) await printJson({ version: 1, healthy, dataFolder, checks });
  else await printLines(checks.flatMap(formatCheck));
  if (!healthy) process.exitCode = EXIT.negative;
}
