import type {
  BlockChange,
  CastPiece,
  CloseVerdict,
  Divider,
  FindHit,
  HistoryEntry,
  JoinVerdict,
  OpenPlaceVerdict,
  PasteVerdict,
  RecordedTerminal,
  RerunVerdict,
  SubmitAsked,
  SubmitVerdict,
  SystemInfo,
  TerminalChange,
  Workspace,
} from '../../src-main/contract/api.ts';
import type { Block, StyledLine } from '../../src-main/contract/block.ts';
import type { ChatChange, ChatEvent, ChatMessage, Conversation } from '../../src-main/contract/chat/chat.ts';
import type { LineCompletion } from '../../src-main/contract/completion.ts';
import type { AgentPresence, ApprovalAnswer, ApprovalChange } from '../../src-main/contract/mcp/approval.ts';
import type {
  AuditChange,
  AuditCursor,
  AuditFilter,
  AuditPage,
  AuditState,
} from '../../src-main/contract/mcp/audit.ts';
import type { PolicyRules } from '../../src-main/contract/mcp/policyRules.ts';
import type { Notice } from '../../src-main/contract/notice.ts';
import type { PaneTree } from '../../src-main/contract/panes.ts';
import type { ProjectLook, ProjectsView } from '../../src-main/contract/project.ts';
import type { ScreenPicture } from '../../src-main/contract/screen/screen.ts';
import type { SearchEvent, SearchQuery } from '../../src-main/contract/search.ts';
import type { SizedBy, StreamItem, TerminalView } from '../../src-main/contract/terminal.ts';
import type { NotificationChange } from '../../src-main/contract/window/notification.ts';
import type { OpenWindows } from '../../src-main/contract/window/windows.ts';
import type { AgentRpc } from './AgentRpc.ts';
import type { ChangesRpc } from './ChangesRpc.ts';
import type { MachineRpc } from './MachineRpc.ts';
import type { SavedRpc } from './SavedRpc.ts';
import type { SettingsRpc } from './SettingsRpc.ts';

/** Ends a subscription or takes a registration back. May be called more than once. */
export type Stop = () => void;

/** Where the values of a subscription go. After a lost connection it is subscribed again, and the source starts with what is now. */
export type Listen<T> = (value: T) => void;

/** What is recorded: a terminal, or a block or a conversation of it. */
export interface CastSubject {
  id: string;
  blockId?: string;
  conversationId?: string;
}

/** Who takes a recording. After an error nothing more comes. */
export interface CastListener {
  onPiece: Listen<CastPiece>;
  onError(error: unknown): void;
}

/** The machine that a call is for, by its key; absent for this one. */
export interface OnMachine {
  machine?: string;
}

export interface BlockRef {
  terminalId: string;
  blockId: string;
}

export interface BlockPage {
  /** Ascending by seq. */
  blocks: Block[];
  more: boolean;
}

export interface BlockLines {
  lines: StyledLine[];
  total: number;
  exact: boolean;
}

/** `error`: the pattern is no valid expression; then nothing is found. */
export interface FindResult {
  hits: FindHit[];
  truncated: boolean;
  error: string | null;
}

export interface FilterResult {
  matches: number[];
  lines: StyledLine[];
  truncated: boolean;
  error: string | null;
}

/** How the core is reached. `refused`: the host answers but does not know our token any more. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused';

/** What the window can ask of the core. One face over WebSocket and Electron IPC, and what tests fake. */
export interface Rpc extends SettingsRpc {
  /** Calls `listen` with the present state, then with each change. */
  onLink(listen: Listen<LinkState>): Stop;
  readonly system: {
    info(): Promise<SystemInfo>;
    showsTheme(input: { theme: 'dark' | 'light' }): Promise<unknown>;
    looksAt(input: { terminalId: string | null }): Promise<unknown>;
    onNotice(listen: Listen<Notice>): Stop;
  };
  readonly workspace: {
    /** As this window shows it. */
    get(): Promise<Workspace>;
    /** All open windows, this one among them. */
    onWindows(listen: Listen<OpenWindows>): Stop;
    /** Into a window with tabs of its own, or with null back into those that show the rest. */
    moveTab(input: { id: string; to: string | null }): Promise<unknown>;
    /** This window shows all terminals that are in no other one. */
    showAll(): Promise<unknown>;
    setOrder(input: { ids: string[] }): Promise<unknown>;
    setActive(input: { id: string }): Promise<unknown>;
    setFolded(input: BlockRef & { folded: boolean }): Promise<unknown>;
    setChat(input: { id: string; isOpen: boolean }): Promise<unknown>;
    setPanes(input: { panes: PaneTree[] }): Promise<unknown>;
    setProject(input: ProjectLook & { root: string }): Promise<unknown>;
    setProjectOrder(input: { roots: string[] }): Promise<unknown>;
  };
  readonly notification: {
    onChange(listen: Listen<NotificationChange>): Stop;
    /** One, those of one terminal, or all. */
    read(input: { seq?: number; terminalId?: string }): Promise<unknown>;
  };
  readonly project: {
    /** Folders and ports are read while a window listens. */
    onChange(listen: Listen<ProjectsView>): Stop;
    refresh(): Promise<unknown>;
  };
  readonly saved: SavedRpc;
  readonly terminal: TerminalRpc;
  readonly block: BlockRpc;
  readonly chat: ChatRpc;
  readonly agent: AgentRpc;
  readonly changes: ChangesRpc;
  readonly machine: MachineRpc;
  readonly recording: {
    /** Terminals that are in no tab. */
    list(): Promise<RecordedTerminal[]>;
    /** Brings one of them back into a tab. */
    open(input: { id: string }): Promise<TerminalView>;
    /** The asciicast of a terminal, a block or a conversation, in pieces; restarts after a lost connection. */
    cast(input: CastSubject, on: CastListener): Stop;
  };
  readonly screen: {
    picture(input: { terminalId: string; format: 'png' | 'svg' }): Promise<ScreenPicture>;
  };
  readonly search: SearchRpc;
  readonly clients: ClientRpc;
  readonly audit: AuditRpc;
  readonly history: {
    list(input: OnMachine & { query: string; limit: number }): Promise<HistoryEntry[]>;
    startingWith(input: OnMachine & { prefix: string; limit: number }): Promise<HistoryEntry[]>;
    /** The newest command that goes on where `prefix` ends, nearest by folder. */
    nearest(input: OnMachine & { prefix: string; cwd: string; project: string | null }): Promise<string | null>;
  };
  readonly complete: {
    line(input: { terminalId: string; text: string; caret: number }): Promise<LineCompletion>;
    /** Whether the shell would find a command of that name; null when that is not known. */
    isCommand(input: { terminalId: string; word: string }): Promise<boolean | null>;
  };
}

export interface TerminalRpc {
  onChange(listen: Listen<TerminalChange>): Stop;
  open(input: OnMachine & { shell?: string; cwd?: string; cols: number; rows: number }): Promise<TerminalView>;
  close(input: { id: string; force: boolean }): Promise<CloseVerdict>;
  rename(input: { id: string; name: string | null }): Promise<unknown>;
  /** Whether outside clients are told nothing of it. */
  hide(input: { id: string; isHidden: boolean }): Promise<unknown>;
  restart(input: { id: string }): Promise<unknown>;
  joinNested(input: { id: string }): Promise<JoinVerdict>;
  /** Keystrokes as UTF-8 text. */
  write(input: { id: string; data: string }): Promise<unknown>;
  /** Mouse reports: each character is one byte (latin1). */
  writeBinary(input: { id: string; data: string }): Promise<unknown>;
  paste(input: { id: string; text: string; confirmed?: boolean }): Promise<PasteVerdict>;
  /** Copies a file to the machine of that terminal, into a temporary folder: at most 12 MB. */
  sendFile(input: { id: string; name: string; base64: string }): Promise<{ path: string }>;
  submit(input: { id: string; text: string; asked?: SubmitAsked }): Promise<SubmitVerdict>;
  /** A composer holds unsent text until it is stopped. */
  draft(input: { id: string }): Stop;
  /** How large the terminal would be here. It becomes so for whoever used it last, and with `take`: it is used here now. */
  resize(input: { id: string; cols: number; rows: number; take?: boolean }): Promise<SizedBy>;
  /** `viewerId` is the viewer's own choice, 1 to 64 characters. */
  stream(input: { id: string; viewerId: string }, listen: Listen<StreamItem>): Stop;
  /** Everything up to `offset` has been parsed and drawn. */
  ack(input: { id: string; viewerId: string; offset: number }): Promise<unknown>;
  /** The person looked at it: takes the bell back. */
  seen(input: { id: string }): Promise<unknown>;
}

export interface BlockRpc {
  page(input: { terminalId: string; beforeSeq?: number; limit: number }): Promise<BlockPage>;
  onChange(input: { terminalId: string }, listen: Listen<BlockChange>): Stop;
  /** `count` is at most 2,000; a negative `from` counts from the end. */
  lines(input: BlockRef & { from: number; count: number }): Promise<BlockLines>;
  /** A piece of the record that an image is in, at most 512 KiB. */
  imageBytes(input: { terminalId: string; from: number; to: number }): Promise<{ base64: string }>;
  filter(input: BlockRef & { pattern: string; invert: boolean; context: number; limit: number }): Promise<FilterResult>;
  find(input: {
    terminalId: string;
    blockId?: string;
    query: string;
    regex: boolean;
    limit: number;
  }): Promise<FindResult>;
  text(
    input: BlockRef & { what: 'output' | 'command' | 'both' | 'markdown' },
  ): Promise<{ text: string; truncated: boolean }>;
  export(
    input: BlockRef & { format: 'txt' | 'md' | 'ansi' },
  ): Promise<{ fileName: string; text: string; truncated: boolean }>;
  setBookmarked(input: BlockRef & { bookmarked: boolean }): Promise<unknown>;
  openInEditor(input: BlockRef): Promise<{ opened: boolean; text: string }>;
  openPlace(input: BlockRef & { place: string }): Promise<OpenPlaceVerdict>;
  rerun(input: BlockRef & { confirmed?: boolean }): Promise<RerunVerdict>;
  dividers(input: { terminalId: string }): Promise<Divider[]>;
}

export interface ConversationRef {
  terminalId: string;
  conversationId: string;
}

export interface ChatPage {
  /** Both ascending by order. */
  messages: ChatMessage[];
  events: ChatEvent[];
  more: boolean;
}

export type ChatFormat = 'md' | 'json' | 'jsonl' | 'html';

export interface ExportedChat {
  fileName: string;
  text: string;
  /** Secrets that were taken out. */
  redacted: number;
}

export interface SearchRpc {
  /** Ends after an event of type `end`, or an error. A lost connection is an error: what was found would come twice. */
  find(input: Partial<SearchQuery> & { query: string }, on: SearchListener): Stop;
}

/** What outside clients ask for and do. */
export interface ClientRpc {
  /** All that is open, then each that is asked or gone. */
  onChange(listen: Listen<ApprovalChange>): Stop;
  onPresence(listen: Listen<AgentPresence>): Stop;
  shown(input: { id: string }): Promise<unknown>;
  /** False when it is not open any more. */
  answer(input: { id: string; answer: ApprovalAnswer }): Promise<boolean>;
  takeBack(input: { terminalId: string }): Promise<boolean>;
  giveBack(input: { terminalId: string }): Promise<boolean>;
  cancel(input: { blockId: string }): Promise<boolean>;
}

/** What outside clients did and were refused. */
export interface AuditRpc {
  /** The newest entries that pass, before `before`. */
  page(input: { before?: AuditCursor; filter?: AuditFilter; limit: number }): Promise<AuditPage>;
  /** Reads all of it and says whether it is as it was written. */
  check(): Promise<AuditState>;
  /** Null when no policy file is in force. */
  rules(): Promise<PolicyRules | null>;
  /** The number of the newest entry, then each that is written. */
  onChange(listen: Listen<AuditChange>): Stop;
}

export interface SearchListener {
  onEvent: Listen<SearchEvent>;
  onError(error: unknown): void;
}

export interface ChatRpc {
  list(input: { terminalId?: string; limit: number }): Promise<Conversation[]>;
  onChange(input: { terminalId: string }, listen: Listen<ChatChange>): Stop;
  page(input: ConversationRef & { beforeOrder?: number; limit: number }): Promise<ChatPage>;
  /** Clean Markdown of the whole conversation, or of one message. */
  text(input: ConversationRef & { messageId?: string }): Promise<{ text: string }>;
  export(input: ConversationRef & { format: ChatFormat; redact: boolean }): Promise<ExportedChat>;
}
