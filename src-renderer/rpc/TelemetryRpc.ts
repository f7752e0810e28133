import type { TelemetryStatus, TelemetryTest } from '../../src-main/contract/telemetry.ts';
import type { Listen, Stop } from './Rpc.ts';

/** Calls for telemetry. */
export interface TelemetryRpc {
  /** Reports the state, then each change. */
  onChange(listen: Listen<TelemetryStatus>): Stop;
  test(): Promise<TelemetryTest>;
  /** Returns the number of deleted turns. */
  clear(): Promise<number>;
  /** Returns null, or the reason why the header was not set. */
  setHeader(input: { name: string; value: string }): Promise<string | null>;
  removeHeader(input: { name: string }): Promise<boolean>;
}
