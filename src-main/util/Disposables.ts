/** An object that holds a resource until it is disposed. `dispose` may be called more than once. */
export interface IDisposable {
  dispose(): void;
}

/** Makes a disposable from a function, which runs at most once. */
export function toDisposable(run: () => void): IDisposable {
  let isDone = false;
  return {
    dispose() {
      if (isDone) return;
      isDone = true;
      run();
    },
  };
}

/** Owns the disposables added to it and disposes them, newest first. One added after `dispose` is disposed at once. */
export class Disposables implements IDisposable {
  readonly #owned: IDisposable[] = [];
  #closed = false;

  add<T extends IDisposable>(item: T): T {
    if (this.#closed) item.dispose();
    else this.#owned.push(item);
    return item;
  }

  dispose(): void {
    this.#closed = true;
    for (let item = this.#owned.pop(); item; item = this.#owned.pop()) item.dispose();
  }
}
