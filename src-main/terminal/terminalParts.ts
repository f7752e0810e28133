import type { ConversationRecorder } from '../conversations/record/ConversationRecorder.ts';
import { AgentWatch } from '../conversations/tracking/AgentWatch.ts';
import { FullRedraw } from '../conversations/tracking/FullRedraw.ts';
import type { ScreenHandle } from '../screen/worker/ScreenFeed.ts';
import type { Event } from '../util/Emitter.ts';
import { BackPressure } from './BackPressure.ts';
import type { BlockStore } from './blocks/BlockStore.ts';
import { CommandTexts } from './blocks/CommandTexts.ts';
import { FolderBranch } from './FolderBranch.ts';
import { ForegroundWatch } from './ForegroundWatch.ts';
import { TerminalInput } from './input/TerminalInput.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';
import type { TerminalShell } from './TerminalShell.ts';
import type { TerminalStatus } from './TerminalStatus.ts';
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
  readonly shell: TerminalShell;
  readonly status: TerminalStatus;
  /** Fires when new bytes are on their way to the screen. */
  readonly onFed: Event<void>;
  resize(size: Size): void;
  resizeUnseen(size: Size): void;
}

export interface TerminalParts {
  readonly viewers: Viewers;
  readonly sweep: FullRedraw;
  readonly agents: AgentWatch;
  readonly input: TerminalInput;
  readonly foreground: ForegroundWatch;
  readonly branch: FolderBranch;
  readonly commandTexts: CommandTexts;
  readonly pressure: BackPressure;
}

/** Builds the parts that view a terminal, type into it and watch its programs. The terminal disposes them. */
export function terminalParts(of: PartsOf): TerminalParts {
  const { deps, record, live, onFed, book, screen, shell, status } = of;
  const { clock } = deps;
  const size = () => status.view;
  status.onChange(() => record.unseen(status.unseen));
  const sweep = new FullRedraw({ clock, live, size, resizeUnseen: (size) => of.resizeUnseen(size), onFed });
  return {
    sweep,
    viewers: newViewers(of),
    agents: newAgentWatch(of, sweep),
    input: newInput(of, sweep),
    foreground: new ForegroundWatch(of),
    branch: new FolderBranch(deps, book, status),
    commandTexts: new CommandTexts(book, screen, () => shell.now()),
    pressure: new BackPressure(screen, () => shell.process, deps),
  };
}

function newViewers({ deps, record, live, status, shell, resize }: PartsOf): Viewers {
  return new Viewers({
    id: record.meta.id,
    live,
    clock: deps.clock,
    log: deps.log,
    size: () => status.view,
    isAlt: () => status.view.altScreen,
    resize,
    resizePty: ({ cols, rows }) => shell.process?.resize(cols, rows),
  });
}

function newInput({ deps, book, screen, shell, status, onFed }: PartsOf, sweep: FullRedraw): TerminalInput {
  return new TerminalInput({
    ...deps,
    ...{ book, screen, onFed },
    process: () => shell.process,
    nonce: () => shell.nonce,
    isAtPrompt: () => status.view.atPrompt,
    beforeKeys: () => sweep.cut(),
  });
}

function newAgentWatch({ deps, record, book, chat, screen, shell, status }: PartsOf, sweep: FullRedraw): AgentWatch {
  return new AgentWatch({
    ...deps,
    id: record.meta.id,
    record: chat,
    ...deps.agents,
    screen,
    sweep,
    foreground: () => shell.process?.foregroundProcesses() ?? (shell.process ? null : []),
    block: () => book.running,
    place: () => ({ cwd: status.view.cwd, at: record.size }),
    tell: (agent) => status.agent(agent),
  });
}
