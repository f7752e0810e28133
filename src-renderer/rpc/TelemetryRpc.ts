import type { TelemetryStatus, TelemetryTest } from '../../src-main/contract/telemetry.ts';
import type { Listen, Stop } from './Rpc.ts';

/** Conversations as traces for a collector. */
export interface TelemetryRpc {
  /** The state, then each change of it. */
  onChange(listen: Listen<TelemetryStatus>): Stop;
  test(): Promise<TelemetryTest>;
  /** How many waiting turns were deleted. */
  clear(): Promise<number>;
  /** Null when it is kept; otherwise why not. */
  setHeader(input: { name: string; value: string }): Promise<string | null>;
  removeHeader(input: { name: string }): Promise<boolean>;
}
