import { Telemetry, type TelemetrySpec } from '../telemetry/Telemetry.ts';
import type { CoreOptions } from './CoreOptions.ts';

/** What telemetry needs of a core. */
export interface TelemetrySource extends Pick<TelemetrySpec, 'notices' | 'settings' | 'chats'> {
  readonly outside: { readonly record: { isSeen(terminalId: string): boolean } };
}

/** Telemetry of a core. The core reports what is written, and stops it. */
export async function startTelemetry(core: TelemetrySource, options: CoreOptions): Promise<Telemetry> {
  const { notices, settings, chats, outside } = core;
  const isPrivate = (id: string): boolean => !outside.record.isSeen(id);
  const telemetry = await Telemetry.open({ ...options, notices, settings, chats, isPrivate });
  telemetry.start();
  return telemetry;
}
