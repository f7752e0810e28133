/** A message that the person must see at once. A notice with the same `key` replaces the earlier one; `cleared` withdraws it. */
export interface Notice {
  key: string;
  level: 'info' | 'warning' | 'error';
  /** What happened, in one sentence. */
  text: string;
  /** What the person can do about it. */
  action: string | null;
  /** What a button does about it: `restart` restarts the core, and no shell ends. */
  offers?: 'restart' | undefined;
  terminalId: string | null;
  atMs: number;
  cleared: boolean;
}

/** A range of the record that could not be written. Offsets in output.raw as if it had been. */
export interface RecordGap {
  type: 'gap';
  fromOffset: number;
  toOffset: number;
  reason: string;
  atMs: number;
}
