import type { MachinesView, MachineView } from '../../contract/machines.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { inTime } from '../record/LiveCore.ts';

/** Reports the machines of the running core, now and after each change, until `onChange` returns true. Rejects if the core is lost. */
export async function followMachines(core: LiveCore, onChange: (view: MachinesView) => boolean): Promise<void> {
  const { api, lost } = core.connection;
  const done = Promise.withResolvers<void>();
  const following = api.machine.onChange.subscribe(undefined, {
    onData: (view) => {
      if (onChange(view)) done.resolve();
    },
    onError: (error) => done.reject(error),
  });
  try {
    await Promise.race([done.promise, lost]);
  } finally {
    following.unsubscribe();
  }
}

export async function listMachines(core: LiveCore): Promise<readonly MachineView[]> {
  let machines: readonly MachineView[] = [];
  const first = followMachines(core, (view) => {
    machines = view.machines;
    return true;
  });
  await inTime(first);
  return machines;
}

/** Throws a CliError if the list has no machine of that name. */
export async function findMachine(core: LiveCore, name: string): Promise<MachineView> {
  const machines = await listMachines(core);
  const found = machines.find((machine) => machine.name === name);
  if (found) return found;
  const known =
    machines.length === 0 ? 'The list is empty.' : `There are: ${machines.map((each) => each.name).join(', ')}.`;
  throw new CliError(`no host ${name} is in the list. ${known}`, EXIT.noInput);
}
