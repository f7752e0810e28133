import { TRPCError } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { z } from 'zod';
import { checkAnswer, RefusedAnswer } from '../../machines/answers/checkAnswer.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import type { Machines } from '../../machines/Machines.ts';
import { answerOf, type Route } from '../../machines/merge/routes.ts';
import { MachineError } from '../../machines/RemoteApi.ts';
import type { WritePath } from '../../machines/RemoteKeys.ts';
import { NOT_CONNECTED, OUTCOME_UNKNOWN } from '../../shared/machineIds.ts';
import { type InputSequencer, inOrder } from '../../terminal/input/InputSequencer.ts';
import { noteAck, placeOf } from './placeOf.ts';

/** The part of the API's context that calls for machines need. */
export interface Caller {
  readonly frontend: string;
  readonly core: {
    readonly machines: Machines;
    readonly info: { readonly coreId: string };
    readonly typed: InputSequencer<() => void>;
  };
}

/** The arguments with which tRPC calls a procedure. */
export interface CallOptions {
  ctx: Caller;
  path: string;
  getRawInput(): Promise<unknown>;
  signal?: AbortSignal;
}
export type Type = 'query' | 'mutation' | 'subscription';

const Keys = z.object({
  ...{ id: z.string().max(64), data: z.string().max(256 * 1024) },
  ...{ writer: z.string().max(64).optional(), number: z.int().min(0).optional(), again: z.boolean().optional() },
  since: z.object({ number: z.int().min(0), core: z.string().max(64) }).optional(),
});

/** Calls the machine and answers as this core would. */
export async function passOn(options: CallOptions, type: Type, { key, input }: Route): Promise<unknown> {
  const { ctx, path, signal } = options;
  const link = ctx.core.machines.find(key);
  if (!link) throw new TRPCError({ code: 'NOT_FOUND', message: `The machine ${key} is not in the list any more` });
  if (type === 'subscription') return following(ctx, link, { path, input });
  try {
    if (path === 'terminal.ack') noteAck(link, input);
    if (path === 'terminal.write' || path === 'terminal.writeBinary') return await typed(ctx, link, path, input);
    return answerOf(
      key,
      path,
      checkAnswer(link.view.name, { path, input }, await link.call(type, path, input, signal)),
    );
  } catch (error) {
    throw asRefusal(error);
  }
}

/** Orders a window's keys here; the link numbers them for the machine, also across lost connections. */
async function typed(ctx: Caller, link: MachineLink, path: WritePath, input: unknown): Promise<void> {
  const { id, data, writer, number, ...sent } = Keys.parse(input);
  const { typed: order, info } = ctx.core;
  const write = async (): Promise<unknown> => (data === '' ? undefined : link.write(id, path, data));
  if (writer === undefined || number === undefined) await write();
  else if (order.continues(writer, { number, ...sent }, info.coreId)) await inOrder(order, { writer, number }, write);
  else if (data !== '')
    throw new MachineError('cut', 'Hansard was restarted: whether the last keys arrived is not known');
}

function following(ctx: Caller, link: MachineLink, { path, input }: { path: string; input: unknown }): unknown {
  return observable<unknown, TRPCError>((listener) => {
    const fail = (error: unknown): void => listener.error(asRefusal(error));
    const place = placeOf(link, { path, input, fail }, ctx.core.machines.clock);
    const running = link.subscribe(path, () => place.inputNow(), {
      onData: (value) => {
        try {
          const checked = checkAnswer(link.view.name, { path, input }, value);
          place.take?.(checked);
          listener.next(answerOf(link.view.key, path, checked));
        } catch (error) {
          fail(error); // ends the subscription there too; an error thrown here would reach the socket's own listener
        }
      },
      onError: fail,
      onComplete: () => listener.complete(),
    });
    return () => {
      running.unsubscribe();
      place.dispose?.();
    };
  });
}

const Refusal = z.object({ data: z.object({ code: z.string() }) });
const CODES = new Set<string>([
  ...['BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE', 'TIMEOUT'],
  ...['CONFLICT', 'INTERNAL_SERVER_ERROR'],
]);
const MAX_MESSAGE_CHARS = 2_000;

/** Turns the machine's refusal into ours. No refusal of a machine has the code of those that are made here. */
function asRefusal(error: unknown): TRPCError {
  if (error instanceof RefusedAnswer) return new TRPCError({ code: 'BAD_GATEWAY', message: error.message });
  if (error instanceof MachineError) {
    const code = error.kind === 'cut' ? OUTCOME_UNKNOWN : NOT_CONNECTED;
    return new TRPCError({ code, message: error.message });
  }
  const given = Refusal.safeParse(error).data?.data.code ?? '';
  const code = (CODES.has(given) ? given : 'INTERNAL_SERVER_ERROR') as TRPCError['code'];
  const message = error instanceof Error ? error.message : String(error);
  return new TRPCError({ code, message: message.slice(0, MAX_MESSAGE_CHARS) });
}
