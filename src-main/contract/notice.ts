/** Something the person must see at once. The same `key` replaces the earlier notice; `cleared` takes it back. */
export interface Notice {
  key: string;
  level: 'info' | 'warning' | 'error';
  /** What happened, in one sentence. */
  text: string;
  /** What the person can do about it. */
  action: string | null;
  terminalId: string | null;
  atMs: number;
  cleared: boolean;
}

/** A stretch of the record that could not be written. Offsets in output.raw as they would have been. */
export interface RecordGap {
  type: 'gap';
  fromOffset: number;
  toOffset: number;
  reason: string;
  atMs: number;
}
