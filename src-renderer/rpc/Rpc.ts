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

/** Ends a subscription or a registration. May be called more than once. */
export type Stop = () => void;

/** Receives the values of a subscription. After a lost connection the subscription restarts, and the source sends its current state first. */
export type Listen<T> = (value: T) => void;

/** Subject of a recording: a terminal, or one of its blocks or conversations. */
export interface CastSubject {
  id: string;
  blockId?: string;
  conversationId?: string;
}

/** Receives a recording. No piece comes after an error. */
export interface CastListener {
  onPiece: Listen<CastPiece>;
  onError(error: unknown): void;
}

/** Key of the machine that a call is for; absent for this one. */
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

/** `error`: the pattern is not a valid expression; there are no hits then. */
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

/** State of the connection. `refused`: the host answers but does not accept our token any more. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused';

/** The window's calls to the core. One interface over WebSocket and Electron IPC; tests fake it. */
export interface Rpc extends SettingsRpc {
  /** Calls `listen` with the current state, then with each change. */
  onLink(listen: Listen<LinkState>): Stop;
  readonly system: {
    info(): Promise<SystemInfo>;
    /** Restarts the core with the installed program. */
    restart(): Promise<void>;
    showsTheme(input: { theme: 'dark' | 'light' }): Promise<unknown>;
    looksAt(input: { terminalId: string | null }): Promise<unknown>;
    onNotice(listen: Listen<Notice>): Stop;
  };
  readonly workspace: {
    /** The layout of this window. */
    get(): Promise<Workspace>;
    /** All open windows, including this one. */
    onWindows(listen: Listen<OpenWindows>): Stop;
    /** Moves a tab into a window with tabs of its own, or with null back into the windows that show all other tabs. */
    moveTab(input: { id: string; to: string | null }): Promise<unknown>;
    /** Makes this window show all terminals that are in no other one. */
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
    /** Marks one as read, or those of a terminal, or all. */
    read(input: { seq?: number; terminalId?: string }): Promise<unknown>;
  };
  readonly project: {
    /** The core reads folders and ports while a window listens. */
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
    /** Lists terminals without a tab. */
    list(): Promise<RecordedTerminal[]>;
    /** Reopens one of them in a tab. */
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
    /** The newest command that continues `prefix`, nearest folder first. */
    nearest(input: OnMachine & { prefix: string; cwd: string; project: string | null }): Promise<string | null>;
  };
  readonly complete: {
    line(input: { terminalId: string; text: string; caret: number }): Promise<LineCompletion>;
    /** Whether the shell would find a command of that name; null if unknown. */
    isCommand(input: { terminalId: string; word: string }): Promise<boolean | null>;
  };
}

export interface TerminalRpc {
  onChange(listen: Listen<TerminalChange>): Stop;
  open(input: OnMachine & { shell?: string; cwd?: string; cols: number; rows: number }): Promise<TerminalView>;
  close(input: { id: string; force: boolean }): Promise<CloseVerdict>;
  rename(input: { id: string; name: string | null }): Promise<unknown>;
  /** Hides the terminal from clients, or shows it. */
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
  /** Marks that a composer holds unsent text, until it is stopped. */
  draft(input: { id: string }): Stop;
  /** The size that the terminal would have here. It becomes the terminal's size if this viewer used it last; `take` makes it so. */
  resize(input: { id: string; cols: number; rows: number; take?: boolean }): Promise<SizedBy>;
  /** The viewer chooses `viewerId`, 1 to 64 characters. */
  stream(input: { id: string; viewerId: string }, listen: Listen<StreamItem>): Stop;
  /** Everything up to `offset` has been parsed and drawn. */
  ack(input: { id: string; viewerId: string; offset: number }): Promise<unknown>;
  /** Clears the bell, because the person looked at the terminal. */
  seen(input: { id: string }): Promise<unknown>;
}

export interface BlockRpc {
  page(input: { terminalId: string; beforeSeq?: number; limit: number }): Promise<BlockPage>;
  onChange(input: { terminalId: string }, listen: Listen<BlockChange>): Stop;
  /** `count` is at most 2,000; a negative `from` counts from the end. */
  lines(input: BlockRef & { from: number; count: number }): Promise<BlockLines>;
  /** Bytes of the record that contain an image, at most 512 KiB. */
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
  /** Both ascend by order. */
  messages: ChatMessage[];
  events: ChatEvent[];
  more: boolean;
}

export type ChatFormat = 'md' | 'json' | 'jsonl' | 'html';

export interface ExportedChat {
  fileName: string;
  text: string;
  /** Number of redacted secrets. */
  redacted: number;
}

export interface SearchRpc {
  /** Ends after an event of type `end`, or an error. A lost connection is an error, because a restart would send the hits twice. */
  find(input: Partial<SearchQuery> & { query: string }, on: SearchListener): Stop;
}

/** Calls for what clients ask for and do. */
export interface ClientRpc {
  /** All open approvals, then each new or removed one. */
  onChange(listen: Listen<ApprovalChange>): Stop;
  onPresence(listen: Listen<AgentPresence>): Stop;
  shown(input: { id: string }): Promise<unknown>;
  /** False if it is no longer open. */
  answer(input: { id: string; answer: ApprovalAnswer }): Promise<boolean>;
  takeBack(input: { terminalId: string }): Promise<boolean>;
  giveBack(input: { terminalId: string }): Promise<boolean>;
  cancel(input: { blockId: string }): Promise<boolean>;
}

/** Calls for the audit log. */
export interface AuditRpc {
  /** The newest entries before `before` that pass the filter. */
  page(input: { before?: AuditCursor; filter?: AuditFilter; limit: number }): Promise<AuditPage>;
  /** Reads the whole log and verifies its chain. */
  check(): Promise<AuditState>;
  /** Null if there is no policy file. */
  rules(): Promise<PolicyRules | null>;
  /** The number of the newest entry, then of each new one. */
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
  /** '' gives it the title of its first prompt again. */
  name(input: ConversationRef & { title: string }): Promise<unknown>;
  export(input: ConversationRef & { format: ChatFormat; redact: boolean }): Promise<ExportedChat>;
}
