interface Kept<T> {
  readonly value: T;
  /** Number of panes that have it. */
  panes: number;
  dispose(): void;
}

/** Values by id that panes take and release. It keeps the `most` that were taken last of all that no pane has, and disposes the others. */
export class LastShown<T> {
  readonly #create: (id: string) => { value: T; dispose(): void };
  readonly #most: number;
  /** The one that was taken last is at the end. */
  readonly #all = new Map<string, Kept<T>>();

  constructor(create: (id: string) => { value: T; dispose(): void }, most: number) {
    this.#create = create;
    this.#most = most;
  }

  /** Call `release` once, when the pane ends. */
  take(id: string): { value: T; release(): void } {
    const kept = this.#all.get(id) ?? { ...this.#create(id), panes: 0 };
    this.#all.delete(id); // added again at the end: the map's order is the order of use
    this.#all.set(id, kept);
    kept.panes += 1;
    return {
      value: kept.value,
      release: () => {
        kept.panes -= 1;
        this.#forgetOldest();
      },
    };
  }

  #forgetOldest(): void {
    const unshown = [...this.#all].filter(([, { panes }]) => panes === 0);
    for (const [id, { dispose }] of unshown.slice(0, Math.max(0, unshown.length - this.#most))) {
      this.#all.delete(id);
      dispose();
    }
  }
}
