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
    return { inputNow, take: (value) => place.take(value) };
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
