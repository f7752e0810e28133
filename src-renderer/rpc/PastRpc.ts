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
import type { ChatFormat, ExportedChat, Listen, OnMachine, Stop } from './Rpc.ts';

/** Calls for past conversations, recorded by terminals or imported from agent logs. */
export interface PastRpc {
  onChange(listen: Listen<PastStatus>): Stop;
  import(): Promise<PastImportReport>;
  answer(input: { isWanted: boolean }): Promise<void>;
  page(input: Partial<PastQuery>): Promise<PastPage>;
  /** Null if it does not exist. */
  row(input: { key: string }): Promise<PastRow | null>;
  messages(input: { key: string; from: number }): Promise<PastMessages>;
  export(input: {
    terminalId: string;
    conversationId: string;
    format: ChatFormat;
    redact: boolean;
  }): Promise<ExportedChat>;
  /** Continues a conversation in a new terminal. */
  continue(input: { key: string; cols: number; rows: number }): Promise<TerminalView>;
  /** Continues the conversation of `lastIn` in the same terminal, or dismisses it. */
  continueHere(input: { terminalId: string; isWanted: boolean }): Promise<boolean>;
  /** Finds the conversation of a terminal that a restart cut off; null if no conversation can continue. */
  lastIn(input: { terminalId: string }): Promise<PastRow | null>;
  /** Null before the first import. */
  usage(input: OnMachine & { by: UsageReport['by'] }): Promise<UsageReport | null>;
}
