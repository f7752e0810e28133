import { type IDisposable, toDisposable } from './Disposables.ts';

/** `source` names the code that failed, such as a class; `error` is the thrown value. */
export type StrayReport = (source: string, error: unknown) => void;

/** Without a host that reports them, unhandled errors end the process, as in CLI commands and tests. */
const surface: StrayReport = (_source, error) => {
  queueMicrotask(() => {
    throw error;
  });
};

let report: StrayReport = surface;

/** Sends unhandled errors to `own` until the result is disposed. One host per process. */
export function onStrayError(own: StrayReport): IDisposable {
  report = own;
  return toDisposable(() => {
    if (report === own) report = surface;
  });
}

/** Reports an unhandled error, which is a bug, without stopping the record. */
export function reportStray(source: string, error: unknown): void {
  report(source, error);
}

/** Runs work that no caller awaits. Reports its failure under `source`. */
export function detach(source: string, work: PromiseLike<unknown>): void {
  work.then(undefined, (error: unknown) => reportStray(source, error));
}
