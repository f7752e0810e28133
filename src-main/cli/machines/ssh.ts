import type { Command } from 'commander';
import type { MachineView } from '../../contract/machines.ts';
import { escapeText } from '../../util/escapeControls.ts';
import { detach } from '../../util/strayErrors.ts';
import { attachHere, DETACH_KEYS, isOwnTerminal, readKeys, takeLocalTerminal } from '../attach/attachHere.ts';
import { launchCore } from '../background/launchCore.ts';
import { requirePlace } from '../background/startFront.ts';
import { askSecret } from '../print/askSecret.ts';
import { askYes } from '../print/askYes.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { remark } from '../print/output.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { followMachines } from './machineOf.ts';

export function addSsh(program: Command): void {
  program
    .command('ssh')
    .description('Open a terminal on a host by SSH')
    .argument('<host>', 'name in ~/.ssh/config, or user@host')
    .option('--no-attach', 'only connect: the window has its terminals')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(connectTo);
}

const NOTES = [
  'Uses your own ssh: its config, keys, agent and jump hosts. If Hansard is missing there, it asks once and copies itself to',
  '~/.local/share/hansard/server. The record of the host stays on the host.',
  `Keys: ${DETACH_KEYS} detaches; the terminal keeps running. Without a terminal on input and output it only connects.`,
  'Typed in a terminal of Hansard, it opens the new terminal in the window instead.',
];
const EXAMPLES = [
  ['hansard ssh box', 'connect, and use a new terminal there'],
  ['hansard ssh me@box --no-attach', 'connect only'],
  ['hansard hosts', 'list the connected hosts'],
] as const;

async function connectTo(name: string, { attach }: { attach: boolean }): Promise<void> {
  const isTerminal = attach && process.stdin.isTTY && process.stdout.isTTY;
  const isInWindow = isTerminal && isOwnTerminal();
  const local =
    isTerminal && !isInWindow ? takeLocalTerminal('`--no-attach` only connects: the window has its terminals') : null;
  const core = await coreHere();
  try {
    const { api } = core.connection;
    const begun = await api.machine.connect.mutate({ name });
    if (!begun.ok) throw new CliError(begun.reason, EXIT.usage);
    const { key } = begun;
    await untilConnected(core, key);
    if (!local && !isInWindow) return remark(`Connected to ${name}: its terminals are in the window.`);
    const { columns: cols, rows } = process.stdout;
    const { id } = await api.terminal.open.mutate({ machine: key, cols, rows });
    // Attached here, it would be a terminal in a terminal and recorded twice, while the window can show it itself.
    if (!local)
      return remark(`Opened a terminal on ${name}: it is in the sidebar of Hansard on ${core.info.hostName}.`);
    const options = { replay: 'state', isReadOnly: false, keys: readKeys(DETACH_KEYS) } as const;
    await attachHere(core, local, { terminalId: id, label: name, ...options });
  } finally {
    core.dispose();
  }
}

/** Returns the running core, or starts one in the background. */
async function coreHere(): Promise<LiveCore> {
  const dataFolder = requirePlace();
  let found = await LiveCore.find(dataFolder);
  if (found.status === 'none') {
    await launchCore(dataFolder, { port: 0 });
    found = await LiveCore.find(dataFolder);
  }
  if (found.status === 'ok') return found.core;
  throw new CliError(
    found.status === 'silent' ? `Hansard runs (process ${found.pid}) but ${found.reason}.` : 'Hansard has ended.',
    EXIT.unavailable,
  );
}

/** Shows the progress and asks the questions. Rejects with the reason if the connection fails, or if a question cannot be asked here. */
async function untilConnected(core: LiveCore, key: string): Promise<void> {
  const { api } = core.connection;
  const failed = Promise.withResolvers<never>();
  const asked = new Set<string>();
  let shown = '';
  // Ctrl+C ends the attempt, because the core would otherwise wait for an answer that cannot come.
  const giveUp = (): void => {
    const left = api.machine.disconnect.mutate({ key }).finally(() => process.exit(130));
    detach('ssh', left);
  };
  process.once('SIGINT', giveUp);
  const look = ({ state, reason, question, step, name }: MachineView): boolean => {
    if (state !== 'connecting') showStep('');
    if (state === 'failed' || state === 'lost' || state === 'off')
      failed.reject(new CliError(`${name} could not be connected. ${reason ?? ''}`.trim(), EXIT.unavailable));
    if (question && !asked.has(question.id)) {
      asked.add(question.id);
      showStep('');
      const answering = answerTo(question).then((answer) => {
        if (answer === undefined)
          throw new CliError(`ssh asks: ${question.text} Answer it in the window, or in a terminal.`, EXIT.unavailable);
        return api.machine.answer.mutate({ key, questionId: question.id, answer });
      });
      detach(
        'ssh',
        answering.then(() => undefined, failed.reject),
      );
    } else if (!question && state === 'connecting')
      showStep(reason ?? `${STEPS[step.words]} ${step.percent === null ? '' : `${step.percent} %`}`);
    return state === 'connected';
  };
  const showStep = (text: string): void => {
    if (text === shown || !process.stderr.isTTY) return;
    shown = text;
    process.stderr.write(`\r\x1b[K${text}`);
  };
  try {
    const following = followMachines(core, ({ machines }) => {
      const view = machines.find((machine) => machine.key === key);
      return view !== undefined && look(view);
    });
    await Promise.race([following, failed.promise]);
  } finally {
    process.off('SIGINT', giveUp);
  }
}

const STEPS: Readonly<Record<MachineView['step']['words'], string>> = {
  ssh: 'Connecting…',
  setup: 'Copying Hansard…',
  start: 'Starting Hansard there…',
};

/** Null means no. Undefined: there is no terminal for the question. */
async function answerTo({ kind, text }: NonNullable<MachineView['question']>): Promise<string | null | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  if (kind === 'secret') return askSecret(text);
  return (await askYes(`${escapeText(text)} [y/N] `)) ? 'yes' : null;
}
