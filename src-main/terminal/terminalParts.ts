import type { AgentStatus } from '../contract/chat/chat.ts';
import type { TerminalView } from '../contract/terminal.ts';
import type { ConversationRecorder } from '../conversations/record/ConversationRecorder.ts';
import { AgentWatch } from '../conversations/tracking/AgentWatch.ts';
import { FullRedraw } from '../conversations/tracking/FullRedraw.ts';
import type { KeyTaker } from '../pty/keyTaker.ts';
import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/worker/ScreenFeed.ts';
import type { Event } from '../util/Emitter.ts';
import type { BlockStore } from './blocks/BlockStore.ts';
import { TerminalInput } from './input/TerminalInput.ts';
import { KeyWatch } from './KeyWatch.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';
import type { LiveStream } from './viewers/LiveStream.ts';
import { Viewers } from './viewers/Viewers.ts';

interface Size {
  cols: number;
  rows: number;
}

/** The parts' view of their terminal. */
export interface PartsOf {
  readonly deps: TerminalDeps;
  readonly record: TerminalRecord;
  readonly book: BlockStore;
  readonly live: LiveStream;
  readonly chat: ConversationRecorder;
  readonly screen: ScreenHandle;
  /** Fires when new bytes are on their way to the screen. */
  readonly onFed: Event<void>;
  view(): TerminalView;
  process(): PtyProcess | null;
  nonce(): string;
  resize(size: Size): void;
  resizeUnseen(size: Size): void;
  tellAgent(agent: AgentStatus | null): void;
  tellKeys(taker: KeyTaker | null): void;
}

export interface TerminalParts {
  readonly viewers: Viewers;
  readonly sweep: FullRedraw;
  readonly agents: AgentWatch;
  readonly input: TerminalInput;
  readonly keyWatch: KeyWatch;
}

/** Builds the parts that view a terminal, type into it and watch its programs. The terminal disposes them. */
export function terminalParts(of: PartsOf): TerminalParts {
  const { deps, live, onFed, view } = of;
  const { clock } = deps;
  const sweep = new FullRedraw({ clock, live, size: view, resizeUnseen: (size) => of.resizeUnseen(size), onFed });
  return {
    sweep,
    viewers: newViewers(of),
    agents: newAgentWatch(of, sweep),
    input: newInput(of, sweep),
    keyWatch: new KeyWatch(clock, of.book, { process: () => of.process(), tell: (taker) => of.tellKeys(taker) }),
  };
}

function newViewers({ deps, record, live, view, process, resize }: PartsOf): Viewers {
  return new Viewers({
    id: record.meta.id,
    live,
    clock: deps.clock,
    log: deps.log,
    size: view,
    isAlt: () => view().altScreen,
    resize,
    resizePty: ({ cols, rows }) => process()?.resize(cols, rows),
  });
}

function newInput({ deps, book, screen, process, nonce, view, onFed }: PartsOf, sweep: FullRedraw): TerminalInput {
  return new TerminalInput({
    ...deps,
    ...{ book, screen, process, nonce, onFed },
    isAtPrompt: () => view().atPrompt,
    beforeKeys: () => sweep.cut(),
  });
}

function newAgentWatch({ deps, record, book, chat, screen, ...of }: PartsOf, sweep: FullRedraw): AgentWatch {
  return new AgentWatch({
    ...deps,
    id: record.meta.id,
    record: chat,
    ...deps.agents,
    screen,
    sweep,
    foreground: () => of.process()?.foregroundProcesses() ?? (of.process() ? null : []),
    block: () => book.running,
    place: () => ({ cwd: of.view().cwd, at: record.size }),
    tell: (agent) => of.tellAgent(agent),
  });
}
