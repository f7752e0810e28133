import { agentRouter } from './agentRouter.ts';
import { approvalRouter } from './approvalRouter.ts';
import { auditRouter } from './auditRouter.ts';
import { blockRouter } from './blockRouter.ts';
import { chatRouter } from './chatRouter.ts';
import { completeRouter, historyRouter } from './completeRouter.ts';
import { machineRouter } from './machineRouter.ts';
import { withMachines } from './machines/withMachines.ts';
import { notificationRouter } from './notificationRouter.ts';
import { recordingRouter, recordRouter } from './recordRouter.ts';
import { savedRouter } from './savedRouter.ts';
import { screenRouter } from './screenRouter.ts';
import { searchRouter } from './searchRouter.ts';
import { settingsRouter } from './settingsRouter.ts';
import { systemRouter } from './systemRouter.ts';
import { terminalRouter } from './terminalRouter.ts';
import { themeRouter } from './themeRouter.ts';
import { router } from './trpc.ts';
import { uploadRouter } from './uploadRouter.ts';
import { projectRouter, workspaceRouter } from './workspaceRouter.ts';

export const appRouter = withMachines(
  router({
    system: systemRouter,
    settings: settingsRouter,
    upload: uploadRouter,
    workspace: workspaceRouter,
    terminal: terminalRouter,
    agent: agentRouter,
    block: blockRouter,
    chat: chatRouter,
    screen: screenRouter,
    theme: themeRouter,
    history: historyRouter,
    search: searchRouter,
    record: recordRouter,
    recording: recordingRouter,
    complete: completeRouter,
    saved: savedRouter,
    approval: approvalRouter,
    audit: auditRouter,
    project: projectRouter,
    notification: notificationRouter,
    machine: machineRouter,
  }),
);

export type AppRouter = typeof appRouter;
