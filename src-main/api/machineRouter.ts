import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { readConfigHosts } from '../completion/sources/machine.ts';
import { type MachineChoice, MachineKey, MachineName, type MachinesView } from '../contract/machines.ts';
import { MachineCall, type MachineCallEvent } from '../contract/mcp/machineCall.ts';
import { procedure, router } from './trpc.ts';

const One = z.object({ key: MachineKey });
const Port = One.extend({ port: z.int().min(1).max(65_535) });

/** Other machines, reached by the person's ssh. */
export const machineRouter = router({
  /** All machines, now and after each change. */
  onChange: procedure.subscription(async function* ({ ctx, signal }): AsyncGenerator<MachinesView> {
    yield* ctx.core.machines.follow(signal);
  }),

  /** Destinations of ~/.ssh/config. */
  choices: procedure.query(async ({ ctx }): Promise<MachineChoice[]> => {
    const hosts = await readConfigHosts(ctx.core.info.home);
    return hosts.filter(({ name }) => MachineName.safeParse(name).success);
  }),

  /** Adds a machine, if it is new, and begins to connect; `onChange` has the rest. */
  connect: procedure
    .input(z.object({ name: z.string().max(300) }))
    .mutation(({ ctx, input }) => ctx.core.machines.connect(input.name)),

  disconnect: procedure.input(One).mutation(({ ctx, input }): void => ctx.core.machines.disconnect(input.key)),

  forget: procedure
    .input(One.extend({ server: z.boolean() }))
    .mutation(({ ctx, input }) => ctx.core.machines.forget(input.key, input)),

  /** False if the question is no longer open. A null answer means no. */
  answer: procedure
    .input(One.extend({ questionId: z.string().max(64), answer: z.string().max(4096).nullable() }))
    .mutation(
      async ({ ctx, input }): Promise<boolean> =>
        (await ctx.core.machines.find(input.key)?.answer(input.questionId, input.answer)) ?? false,
    ),

  /** Makes a port of the machine reachable here. */
  forward: procedure.input(Port).mutation(({ ctx, input }) => ctx.core.machines.forward(input.key, input.port)),

  unforward: procedure.input(Port).mutation(({ ctx, input }) => ctx.core.machines.unforward(input.key, input.port)),

  /** A call of an MCP client, passed on by another machine's core. All others use the MCP socket. */
  tool: procedure.input(MachineCall).subscription(async function* ({
    ctx,
    input,
    signal,
  }): AsyncGenerator<MachineCallEvent> {
    if (ctx.frontend !== 'machine')
      throw new TRPCError({ code: 'FORBIDDEN', message: 'Only another machine may ask this' });
    const { answerMachine } = await import('../mcp/server/answerMachine.ts'); // loads every tool
    yield* answerMachine({ desk: ctx.core.outside, clients: ctx.core.clients }, input, signal);
  }),

  /** Answers at once with the time of day, so that another machine's core can measure the latency and compare the clocks. */
  ping: procedure.query(({ ctx }): { nowMs: number | undefined } => ({ nowMs: ctx.core.info.nowMs })),
});
