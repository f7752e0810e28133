/** Something that holds a resource until it is told to let go. `dispose` may be called more than once. */
export interface IDisposable {
  dispose(): void;
}

/** Makes a disposable out of a function; the function runs once at most. */
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

/** Owns what is added to it and lets go of the newest first. What is added after `dispose` is disposed at once. */
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
