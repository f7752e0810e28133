import { FOCUS_REPORTS } from '../../src-main/shared/focusReports.ts';
import { onMachine } from '../../src-main/shared/machineIds.ts';
import type { OnMachine, Rpc } from '../rpc/Rpc.ts';

/** Thrown for a call to a machine that cannot be reached. */
export class NotSent extends Error {}

interface Reach {
  /** Why nothing can be sent to that id; null if it can. */
  check(id: string): string | null;
  /** Nothing was sent, for that reason. */
  refused(reason: string): void;
  /** Keys were sent, and it is not known whether they arrived. */
  failed(id: string, error: unknown): void;
}

/**
 * Guards the calls that type into a terminal of another machine or answer its questions. If they cannot arrive, nothing is sent or queued: keys typed
 * into a lost connection must not run minutes later.
 */
export function guardRpc(rpc: Rpc, { check, refused, failed }: Reach): Rpc {
  const guarded =
    <Input, Result>(idOf: (input: Input) => string, call: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      const reason = check(idOf(input));
      if (reason === null) return call(input);
      refused(reason);
      throw new NotSent(reason);
    };
  /** The emulator does not look at what became of its keys, so a failure is reported here; its own reports of the focus are lost without a word. */
  const keys = (call: Rpc['terminal']['write']) => {
    const typed = guarded(byId, async (input: Parameters<typeof call>[0]) => {
      try {
        return await call(input);
      } catch (error) {
        failed(input.id, error);
        throw error;
      }
    });
    return async (input: Parameters<typeof call>[0]) => {
      if (!FOCUS_REPORTS.has(input.data)) return typed(input);
      return check(input.id) === null ? call(input) : undefined;
    };
  };
  const byId = ({ id }: { id: string }) => id;
  const byTerminal = ({ terminalId }: { terminalId: string }) => terminalId;
  const byMachine = ({ machine }: OnMachine) => (machine === undefined ? '' : onMachine(machine, ''));
  const { terminal, block, agent, clients } = rpc;
  return over(rpc, {
    terminal: over(terminal, {
      open: guarded(byMachine, terminal.open),
      write: keys(terminal.write),
      writeBinary: keys(terminal.writeBinary),
      paste: guarded(byId, terminal.paste),
      sendFile: guarded(byId, terminal.sendFile),
      submit: guarded(byId, terminal.submit),
      restart: guarded(byId, terminal.restart),
    }),
    block: over(block, { rerun: guarded(byTerminal, block.rerun) }),
    agent: over(agent, {
      open: guarded(byMachine, agent.open),
      start: guarded(byMachine, agent.start),
      answer: guarded(byTerminal, agent.answer),
      reply: guarded(byTerminal, agent.reply),
      interrupt: guarded(byTerminal, agent.interrupt),
      past: over(agent.past, { continueHere: guarded(byTerminal, agent.past.continueHere) }),
    }),
    clients: over(clients, { answer: guarded(byId, clients.answer) }),
  });
}

/** `base` with some of its members replaced. */
function over<T extends object>(base: T, members: Partial<T>): T {
  return Object.assign(Object.create(base), members);
}
