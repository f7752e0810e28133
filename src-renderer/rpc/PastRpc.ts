import type {
  PastImportReport,
  PastMessages,
  PastPage,
  PastQuery,
  PastRow,
  PastStatus,
  UsageReport,
} from '../../src-main/contract/past.ts';
import type { TerminalView } from '../../src-main/contract/terminal.ts';
import type { ChatFormat, ExportedChat, Listen, Stop } from './Rpc.ts';

/** Conversations of before: recorded by terminals, or kept by the agents themselves. */
export interface PastRpc {
  onChange(listen: Listen<PastStatus>): Stop;
  import(): Promise<PastImportReport>;
  answer(input: { isWanted: boolean }): Promise<void>;
  page(input: Partial<PastQuery>): Promise<PastPage>;
  /** Null where there is none. */
  row(input: { key: string }): Promise<PastRow | null>;
  messages(input: { key: string; from: number }): Promise<PastMessages>;
  export(input: {
    terminalId: string;
    conversationId: string;
    format: ChatFormat;
    redact: boolean;
  }): Promise<ExportedChat>;
  /** A new terminal in which the agent goes on with a conversation. */
  continue(input: { key: string; cols: number; rows: number }): Promise<TerminalView>;
  /** Goes on in the same terminal with what `lastIn` says, or drops it. */
  continueHere(input: { terminalId: string; isWanted: boolean }): Promise<boolean>;
  /** What a restart has cut off in a terminal; null where there is none that can go on. */
  lastIn(input: { terminalId: string }): Promise<PastRow | null>;
  /** Null where nothing was imported. */
  usage(input: { by: UsageReport['by'] }): Promise<UsageReport | null>;
}
