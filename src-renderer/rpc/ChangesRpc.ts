import type { OpenPlaceVerdict } from '../../src-main/contract/api.ts';
import type {
  ChangedFileRef,
  ChangePatch,
  ChangeRange,
  ChangeSet,
  ConversationChanges,
  RestoreVerdict,
} from '../../src-main/contract/changes.ts';
import type { ConversationRef, Listen, Stop } from './Rpc.ts';

/** Calls for the changes that agents made in their folders. */
export interface ChangesRpc {
  turns(input: ConversationRef): Promise<ConversationChanges>;
  /** Null if the turn does not exist. */
  read(input: ChangeRange): Promise<ChangeSet | null>;
  patch(input: ChangedFileRef): Promise<ChangePatch>;
  wholePatch(input: ChangeRange & { fileId: string | null }): Promise<{ text: string }>;
  restore(input: ChangedFileRef): Promise<RestoreVerdict>;
  open(input: ChangedFileRef): Promise<OpenPlaceVerdict>;
  /** Reports each conversation of that terminal of which a snapshot was taken. */
  onChange(input: { terminalId: string }, listen: Listen<ConversationRef>): Stop;
}
