import { type IDisposable, toDisposable } from './Disposables.ts';

/** `source` names the code that failed, such as a class; `error` is the thrown value. */
export type StrayReport = (source: string, error: unknown) => void;

/** Without a host that reports, an error nobody awaits ends the process, as in a command of the CLI or in a test. */
const surface: StrayReport = (_source, error) => {
  queueMicrotask(() => {
    throw error;
  });
};

let report: StrayReport = surface;

/** Errors that nobody awaits go to `own` from now on. One host per process, until the returned disposable is disposed. */
export function onStrayError(own: StrayReport): IDisposable {
  report = own;
  return toDisposable(() => {
    if (report === own) report = surface;
  });
}

/** An error whose cause is a bug and which nobody waits for: it must be seen, and must not stop the record. */
export function reportStray(source: string, error: unknown): void {
  report(source, error);
}

/** Work that nobody waits for. Its failure is reported under `source`. */
export function detach(source: string, work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => reportStray(source, error));
}
