import type { Command } from 'commander';
import type { MachineView } from '../../contract/machines.ts';
import { machineOf } from '../../shared/machineIds.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { outputColumns, print, printJson, printLines, remark } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { withRunningCore } from '../record/withRunningCore.ts';
import { findMachine, listMachines } from './machineOf.ts';

const NO_HOSTS = 'it is connected to no host';
const EXITS = ['ok', 'usage', 'noInput', 'unavailable', 'software'] as const;

export function addHosts(program: Command): void {
  const hosts = program
    .command('hosts')
    .description('List hosts reached by SSH, and forget them')
    .usage('[options]\n       hansard hosts disconnect|forget <host>')
    .option('--json', 'one JSON document: {version, hosts}')
    .helpCommand(false)
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: [...EXITS] }))
    .action(list);
  hosts
    .command('disconnect')
    .description('Disconnect a host; its programs keep running')
    .argument('<host>', 'name in the list')
    .addHelpText('after', helpText({ examples: [['hansard hosts disconnect box', 'leave it']], exits: [...EXITS] }))
    .action(disconnect);
  hosts
    .command('forget')
    .description('Remove a host, and Hansard from it')
    .argument('<host>', 'name in the list')
    .option('--keep-server', 'leave the copy of Hansard on the host')
    .addHelpText(
      'after',
      helpText({
        notes: [
          'Removes what the set-up has copied to the host. If programs run there in a Hansard of that copy, nothing is removed. If the',
          'host cannot be reached, only its entry here is removed, and what to run there is printed. The record on the host stays.',
        ],
        examples: [['hansard hosts forget box', 'remove it']],
        exits: [...EXITS, 'negative'],
      }),
    )
    .action(forget);
}

const NOTES = ['`hansard ssh HOST` connects one.'];
const EXAMPLES = [
  ['hansard hosts', 'list them with their state and latency'],
  ['hansard hosts forget box', 'remove one, and Hansard from it'],
] as const;

async function list({ json }: { json?: boolean }): Promise<void> {
  await withRunningCore(NO_HOSTS, async (core) => {
    const rows = await rowsOf(core);
    if (json) await printJson({ version: 1, hosts: rows });
    else if (rows.length === 0) await print('No hosts. `hansard ssh HOST` connects one.\n');
    else await printLines(formatTable(COLUMNS, rows, outputColumns()));
  });
}

type Row = Pick<MachineView, 'key' | 'name' | 'state' | 'reason' | 'latencyMs' | 'isSlow' | 'isCut' | 'info'> & {
  terminals: number;
};

async function rowsOf(core: LiveCore): Promise<Row[]> {
  const [machines, terminals] = [await listMachines(core), await core.terminals()];
  return machines.map(({ key, name, state, reason, latencyMs, isSlow, isCut, info }) => ({
    ...{ key, name, state, reason, latencyMs, isSlow, isCut, info },
    terminals: terminals.filter(({ id }) => machineOf(id) === key).length,
  }));
}

const COLUMNS = [
  { title: 'HOST', text: ({ name }: Row) => name },
  { title: 'STATE', text: ({ state }: Row) => state },
  {
    title: 'LATENCY',
    text: ({ latencyMs, isSlow }: Row) => (isSlow ? 'slow' : latencyMs === null ? '' : `${Math.round(latencyMs)} ms`),
    alignRight: true,
  },
  { title: 'VERSION', text: ({ info }: Row) => info?.version ?? '' },
  {
    title: 'TERMINALS',
    text: ({ terminals, state }: Row) => (state === 'connected' ? String(terminals) : ''),
    alignRight: true,
  },
  {
    title: '',
    text: ({ reason, isCut }: Row) => reason ?? (isCut ? 'more than can be listed; the oldest are left out' : ''),
  },
];

async function disconnect(name: string): Promise<void> {
  await withRunningCore(NO_HOSTS, async (core) => {
    const { key } = await findMachine(core, name);
    await core.connection.api.machine.disconnect.mutate({ key });
    await print(`Disconnected from ${name}. Its programs keep running.\n`);
  });
}

async function forget(name: string, { keepServer = false }: { keepServer?: boolean }): Promise<void> {
  await withRunningCore(NO_HOSTS, async (core) => {
    const { key } = await findMachine(core, name);
    const { api, lost } = core.connection;
    const verdict = await Promise.race([api.machine.forget.mutate({ key, server: !keepServer }), lost]);
    if (!verdict.ok) throw new CliError(`${verdict.reason} (--keep-server removes only the entry here)`, EXIT.negative);
    await print(`Removed ${name}. Its record stays there.\n`);
    if (verdict.left !== undefined) remark(verdict.left);
  });
}
