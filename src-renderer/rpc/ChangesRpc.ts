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

/** What agents changed in their folders. */
export interface ChangesRpc {
  turns(input: ConversationRef): Promise<ConversationChanges>;
  /** Null where there is no such turn. */
  read(input: ChangeRange): Promise<ChangeSet | null>;
  patch(input: ChangedFileRef): Promise<ChangePatch>;
  wholePatch(input: ChangeRange & { fileId: string | null }): Promise<{ text: string }>;
  restore(input: ChangedFileRef): Promise<RestoreVerdict>;
  open(input: ChangedFileRef): Promise<OpenPlaceVerdict>;
  /** The conversations of which a snapshot was taken, as it happens. */
  onChange(listen: Listen<ConversationRef>): Stop;
}
