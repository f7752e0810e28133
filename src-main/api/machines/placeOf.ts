import { z } from 'zod';
import { RefusedAnswer, refused } from '../../machines/answers/checkAnswer.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { StreamPlace } from '../../machines/merge/StreamPlace.ts';
import { AskedWait, WaitPlace } from '../../machines/merge/WaitPlace.ts';
import { MachineError } from '../../machines/RemoteApi.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';

/** Where a subscription continues after a lost connection. */
export interface Place {
  /** Called with each value of the machine. */
  take?(value: unknown): void;
  inputNow(): unknown;
  dispose?(): void;
}

/** A subscription of a machine's procedure. */
interface Followed {
  readonly path: string;
  readonly input: unknown;
  /** Ends the subscription. */
  fail(error: unknown): void;
}

/** `clock` measures the time of a wait. The owner disposes the place when the subscription ends. */
export function placeOf(link: MachineLink, { path, input, fail }: Followed, clock: Clock): Place {
  if (path === 'terminal.stream') {
    const place = new StreamPlace();
    const inputNow = (): unknown => place.inputFrom(input, link.view.info?.coreId);
    const take = (value: unknown): void => {
      const fault = place.take(value);
      if (fault === 'backwards') throw refused(link.view.name, path, ['offset']);
      if (fault === 'ahead')
        throw new RefusedAnswer(`${link.view.name} sends output and does not wait for this window.`);
    };
    return { inputNow, take, dispose: heed(link, input, place) };
  }
  const wait = path === 'screen.wait' ? AskedWait.safeParse(input).data : undefined;
  if (!wait) return { inputNow: () => input };
  const place = new WaitPlace(wait, clock);
  if (!place.isNamed) {
    // Sent before the wait, so no text comes between the two
    const read = link.call('query', 'screen.read', { terminalId: wait.terminalId });
    read.then((reading) => place.take(reading)).catch((error: unknown) => fail(unplaced(link.view.name, error)));
  }
  const late = failWhenLate(link, { clock, ms: place.leftMs, fail });
  return { inputNow: () => place.input(), dispose: () => late.dispose() };
}

/** The streams that windows follow, by machine and viewer. */
const VIEWED = new WeakMap<MachineLink, Map<string, StreamPlace>>();
const Viewer = z.object({ viewerId: z.string() });
const Ack = Viewer.extend({ offset: z.int().min(0) });

/** Lets the place know of its viewer's acknowledgements. Returns a function that ends it. */
function heed(link: MachineLink, input: unknown, place: StreamPlace): () => void {
  const places = VIEWED.get(link) ?? new Map<string, StreamPlace>();
  VIEWED.set(link, places);
  const viewerId = Viewer.safeParse(input).data?.viewerId ?? '';
  places.set(viewerId, place);
  return () => {
    if (places.get(viewerId) === place) places.delete(viewerId);
  };
}

/** A window acknowledges a stream of that machine: see `terminal.ack`. */
export function noteAck(link: MachineLink, input: unknown): void {
  const ack = Ack.safeParse(input).data;
  if (ack) VIEWED.get(link)?.get(ack.viewerId)?.acked(ack.offset);
}

function unplaced(name: string, error: unknown): unknown {
  if (!(error instanceof MachineError) || error.kind === 'off') return error;
  const message = `The connection to ${name} was lost as the wait began, so text may have been missed: read the screen, then wait again.`;
  return new MachineError('cut', message);
}

/** Calls `fail` when the time of a wait is over and the machine, which would say so, is not connected. */
function failWhenLate(
  link: MachineLink,
  { clock, ms, fail }: { clock: Clock; ms: number; fail(error: MachineError): void },
): IDisposable {
  const owned = new Disposables();
  const check = (): void => {
    const { state, name } = link.view;
    if (state === 'connected') return;
    fail(
      new MachineError('cut', `${name} is not connected, and the time of the wait is over: its outcome is not known.`),
    );
  };
  owned.add(
    clock.after(ms, () => {
      owned.add(link.onChange(check));
      check();
    }),
  );
  return owned;
}
