import type { Settings } from '../../src-main/contract/settings.ts';
import type { ListedTheme, ThemeImport } from '../../src-main/contract/window/theme.ts';
import type { Listen, Stop } from './Rpc.ts';
import type { TelemetryRpc } from './TelemetryRpc.ts';

/** Calls for the settings. */
export interface SettingsRpc {
  readonly theme: {
    list(): Promise<ListedTheme[]>;
    importFile(input: { fileName: string; text: string }): Promise<ThemeImport>;
    remove(input: { id: string }): Promise<unknown>;
  };
  readonly settings: {
    get(): Promise<Settings>;
    defaults(): Promise<Settings>;
    /** Returns all settings after the change. */
    set(change: Partial<Settings>): Promise<Settings>;
    onChange(listen: Listen<Settings>): Stop;
  };
  readonly telemetry: TelemetryRpc;
}
