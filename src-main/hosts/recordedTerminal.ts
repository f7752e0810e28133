import { homedir, hostname } from 'node:os';
import { readPastTalk } from '../conversations/tracking/readPastTalk.ts';
import { spawnNodePty } from '../pty/NodePty.ts';
import { readGitBranch } from '../store/record/gitBranch.ts';
import { CommandHistory } from '../terminal/blocks/CommandHistory.ts';
import type { TerminalDeps } from '../terminal/TerminalDeps.ts';
import { systemClock } from '../util/Clock.ts';
import { silentLog } from '../util/Log.ts';

type OwnDeps = Pick<TerminalDeps, 'hookLoader' | 'screens' | 'notices' | 'randomId' | 'launch'>;

/** The dependencies of a terminal that records a program for the data folder. */
export function recordedTerminal(dataFolder: string, own: OwnDeps): TerminalDeps {
  return {
    ...own,
    clock: systemClock,
    log: silentLog,
    history: new CommandHistory(),
    hostName: hostname(),
    scrollbackLines: 1000,
    spawnPty: spawnNodePty,
    // the program draws on the person's own terminal, so it cannot be made to draw unseen
    agents: {
      home: homedir(),
      env: process.env,
      logOwners: new Map(),
      pastTalk: (agent) => readPastTalk(dataFolder, agent),
      mayReadLogs: () => true,
      mayRunSweeps: () => false,
    },
    readBranch: readGitBranch,
  };
}
