import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../../src-main/api/appRouter.ts';
import type { AgentRpc } from './AgentRpc.ts';
import type { ChangesRpc } from './ChangesRpc.ts';
import { follow, type Refuse } from './follow.ts';
import { followChat } from './followChat.ts';
import { inBatches } from './inBatches.ts';
import { inPieces } from './inPieces.ts';
import type { CoreLink } from './links.ts';
import type { MachineRpc } from './MachineRpc.ts';
import type { PastRpc } from './PastRpc.ts';
import { Refusals } from './Refusals.ts';
import { ReliableInput } from './ReliableInput.ts';
import type { BlockRpc, ChatRpc, ClientRpc, Rpc, TerminalRpc } from './Rpc.ts';

type Client = TRPCClient<AppRouter>;

/** The core's router, called as the window with that id. */
export function createRpc({ link, onState }: CoreLink, window: string): Rpc {
  const client = createTRPCClient<AppRouter>({ links: [link] });
  const { system, workspace } = client;
  const refusals = new Refusals();
  const writes = new ReliableInput();
  return {
    onLink: onState,
    system: {
      info: () => system.info.query().then((info) => writes.meets(info)),
      restart: () => system.restart.mutate(),
      showsTheme: (input) => system.showsTheme.mutate(input),
      looksAt: (input) => system.looksAt.mutate(input),
      onNotice: (listen) => follow((on) => system.onNotice.subscribe(undefined, on), listen),
    },
    theme: themeRpc(client),
    settings: settingsRpc(client),
    workspace: {
      get: () => workspace.get.query({ window }),
      onWindows: (listen) => follow((on) => workspace.onWindows.subscribe({ window }, on), listen),
      moveTab: (input) => workspace.moveTab.mutate(input),
      showAll: () => workspace.showAll.mutate({ window }),
      setOrder: (input) => workspace.setOrder.mutate(input),
      setActive: (input) => workspace.setActive.mutate({ ...input, window }),
      setFolded: (input) => workspace.setFolded.mutate(input),
      setChat: (input) => workspace.setChat.mutate(input),
      setPanes: (input) => workspace.setPanes.mutate({ ...input, window }),
      setProject: (input) => workspace.setProject.mutate(input),
      setProjectOrder: (input) => workspace.setProjectOrder.mutate(input),
    },
    notification: {
      onChange: (listen) => follow((on) => client.notification.onChange.subscribe(undefined, on), listen),
      read: (input) => client.notification.read.mutate(input),
    },
    project: projectRpc(client),
    terminal: terminalRpc(client, { window, refusals, writes }),
    block: blockRpc(client, refusals),
    chat: chatRpc(client, refusals),
    agent: agentRpc(client, window),
    changes: changesRpc(client),
    machine: machineRpc(client, refusals),
    clients: clientRpc(client),
    audit: auditRpc(client),
    recording: recordingRpc(client),
    screen: { picture: (input) => client.screen.picture.query(input) },
    search: {
      find: (input, { onEvent, onError }) => {
        const finding = client.search.find.subscribe(input, { onData: onEvent, onError });
        return () => finding.unsubscribe();
      },
    },
    history: historyRpc(client),
    complete: completeRpc(client),
    saved: savedRpc(client),
    telemetry: telemetryRpc(client.settings),
  };
}

function auditRpc({ audit }: Client): Rpc['audit'] {
  return {
    page: (input) => audit.page.query(input),
    check: () => audit.check.query(),
    rules: () => audit.rules.query(),
    onChange: (listen) => follow((on) => audit.onChange.subscribe(undefined, on), listen),
  };
}

function projectRpc({ project }: Client): Rpc['project'] {
  return {
    onChange: (listen) => follow((on) => project.onChange.subscribe(undefined, on), listen),
    refresh: () => project.refresh.mutate(),
  };
}

function historyRpc({ history }: Client): Rpc['history'] {
  return {
    list: (input) => history.list.query(input),
    startingWith: (input) => history.startingWith.query(input),
    nearest: (input) => history.nearest.query(input),
  };
}

function completeRpc({ complete }: Client): Rpc['complete'] {
  return {
    line: (input) => complete.line.query(input),
    isCommand: (input) => complete.isCommand.query(input),
  };
}

function telemetryRpc({ telemetry }: Client['settings']): Rpc['telemetry'] {
  return {
    onChange: (listen) => follow((on) => telemetry.onChange.subscribe(undefined, on), listen),
    test: () => telemetry.test.mutate(),
    clear: () => telemetry.clear.mutate(),
    setHeader: (input) => telemetry.setHeader.mutate(input),
    removeHeader: (input) => telemetry.removeHeader.mutate(input),
  };
}

function savedRpc({ saved }: Client): Rpc['saved'] {
  return {
    list: (input) => saved.list.query(input),
    save: (input) => saved.save.mutate(input),
    remove: (input) => saved.remove.mutate(input),
    restore: (input) => saved.restore.mutate(input),
    importFiles: (input) => saved.importFiles.mutate(input),
    trust: (input) => saved.trust.mutate(input),
  };
}

function recordingRpc({ recording }: Client): Rpc['recording'] {
  return {
    list: () => recording.list.query(),
    open: (input) => recording.open.mutate(input),
    cast: (input, { onPiece, onError }) => {
      const taking = recording.cast.subscribe(input, { onData: onPiece, onError });
      return () => taking.unsubscribe();
    },
  };
}

function settingsRpc({ settings }: Client): Rpc['settings'] {
  return {
    get: () => settings.get.query(),
    defaults: () => settings.defaults.query(),
    set: (change) => settings.set.mutate(change),
    onChange: (listen) => follow((on) => settings.onChange.subscribe(undefined, on), listen),
  };
}

function themeRpc({ theme }: Client): Rpc['theme'] {
  return {
    list: () => theme.list.query(),
    importFile: (input) => theme.importFile.mutate(input),
    remove: (input) => theme.remove.mutate(input),
  };
}

function pastRpc({ past }: Client['agent'], window: string): PastRpc {
  return {
    onChange: (listen) => follow((on) => past.onChange.subscribe(undefined, on), listen),
    import: () => past.import.mutate({}),
    answer: (input) => past.answer.mutate(input),
    page: (input) => past.page.query(input),
    row: (input) => past.row.query(input),
    messages: (input) => past.messages.query(input),
    export: (input) => past.export.query(input),
    continue: (input) => past.continue.mutate({ ...input, window }),
    continueHere: (input) => past.continueHere.mutate(input),
    lastIn: (input) => past.lastIn.query(input),
    usage: (input) => past.usage.query(input),
  };
}

function agentRpc({ agent }: Client, window: string): AgentRpc {
  return {
    past: pastRpc(agent, window),
    list: (input) => agent.list.query(input ?? {}),
    open: (input) => agent.open.mutate({ ...input, window }),
    known: (input) => agent.known.query(input ?? {}),
    start: (input) => agent.start.mutate({ ...input, window }),
    repository: (input) => agent.repository.query(input),
    removeWorktree: (input) => agent.removeWorktree.mutate(input),
    onChange: (listen) => follow((on) => agent.onChange.subscribe(undefined, on), listen),
    answer: (input) => agent.answer.mutate(input),
    reply: (input) => agent.reply.mutate(input),
    cancelReply: (input) => agent.cancelReply.mutate(input),
    interrupt: (input) => agent.interrupt.mutate(input),
  };
}

function machineRpc({ machine }: Client, refusals: Refusals): MachineRpc {
  return {
    onRefused: (listen) => refusals.on(listen),
    followAgain: ({ terminalId }) => refusals.again(terminalId),
    onChange: (listen) => follow((on) => machine.onChange.subscribe(undefined, on), listen),
    choices: () => machine.choices.query(),
    connect: (input) => machine.connect.mutate(input),
    disconnect: (input) => machine.disconnect.mutate(input),
    forget: (input) => machine.forget.mutate(input),
    answer: (input) => machine.answer.mutate(input),
    forward: (input) => machine.forward.mutate(input),
    unforward: (input) => machine.unforward.mutate(input),
  };
}

function changesRpc({ agent: { changes } }: Client): ChangesRpc {
  return {
    turns: (input) => changes.turns.query(input),
    read: (input) => changes.read.query(input),
    patch: (input) => changes.patch.query(input),
    wholePatch: (input) => changes.wholePatch.query(input),
    restore: (input) => changes.restore.mutate(input),
    open: (input) => changes.open.mutate(input),
    onChange: (input, listen) => follow((on) => changes.onChange.subscribe(input, on), listen),
  };
}

/** Reports the end of a terminal's subscription that begins again only when the person asks for it. */
function refusedIn(refusals: Refusals, terminalId: string): Refuse {
  return (reason, begin) => refusals.add({ terminalId, reason, begin });
}

function terminalRpc(
  { terminal, upload: uploads }: Client,
  { window, refusals, writes }: { window: string; refusals: Refusals; writes: ReliableInput },
): TerminalRpc {
  const upload = (id: string) => (input: { upload: string; piece: string }) => uploads.add.mutate({ ...input, id });
  return {
    onChange: (listen) => follow((on) => terminal.onChange.subscribe(undefined, on), listen),
    open: (input) => terminal.open.mutate({ ...input, window }),
    close: (input) => terminal.close.mutate(input),
    rename: (input) => terminal.rename.mutate(input),
    hide: (input) => terminal.hide.mutate(input),
    restart: (input) => terminal.restart.mutate(input),
    joinNested: (input) => terminal.joinNested.mutate(input),
    write: ({ id, data: all }) => writes.send(id, all, (data, piece) => terminal.write.mutate({ id, data, ...piece })),
    writeBinary: ({ id, data: all }) =>
      writes.send(id, all, (data, piece) => terminal.writeBinary.mutate({ id, data, ...piece })),
    paste: (input) => inPieces(input.text, upload(input.id), (end) => terminal.paste.mutate({ ...input, ...end })),
    sendFile: ({ id, name, base64 }) =>
      inPieces(base64, upload(id), (end) => uploads.file.mutate({ id, name, ...end })),
    submit: (input) => inPieces(input.text, upload(input.id), (end) => terminal.submit.mutate({ ...input, ...end })),
    draft: (input) =>
      follow(
        (on) => terminal.draft.subscribe(input, on),
        () => undefined,
      ),
    resize: (input) => terminal.resize.mutate(input),
    stream: (input, listen) =>
      follow((on) => terminal.stream.subscribe(input, on), listen, refusedIn(refusals, input.id)),
    ack: (input) => terminal.ack.mutate(input),
    seen: (input) => terminal.seen.mutate(input),
  };
}

function blockRpc({ block }: Client, refusals: Refusals): BlockRpc {
  return {
    page: (input) => block.page.query(input),
    onChange: (input, listen) =>
      inBatches(listen, (paced) =>
        follow((on) => block.onChange.subscribe(input, on), paced, refusedIn(refusals, input.terminalId)),
      ),
    lines: (input) => block.lines.query(input),
    imageBytes: (input) => block.imageBytes.query(input),
    filter: (input) => block.filter.query(input),
    find: (input) => block.find.query(input),
    text: (input) => block.text.query(input),
    export: (input) => block.export.query(input),
    setBookmarked: (input) => block.setBookmarked.mutate(input),
    openInEditor: (input) => block.openInEditor.mutate(input),
    openPlace: (input) => block.openPlace.mutate(input),
    rerun: (input) => block.rerun.mutate(input),
    dividers: (input) => block.dividers.query(input),
  };
}

function clientRpc({ approval }: Client): ClientRpc {
  return {
    onChange: (listen) => follow((on) => approval.onChange.subscribe(undefined, on), listen),
    onPresence: (listen) => follow((on) => approval.presence.subscribe(undefined, on), listen),
    shown: (input) => approval.shown.mutate(input),
    answer: (input) => approval.answer.mutate(input),
    takeBack: (input) => approval.takeBack.mutate(input),
    giveBack: (input) => approval.giveBack.mutate(input),
    cancel: (input) => approval.cancel.mutate(input),
  };
}

function chatRpc({ chat }: Client, refusals: Refusals): ChatRpc {
  return {
    list: (input) => chat.list.query(input),
    onChange: (input, listen) =>
      inBatches(listen, (paced) =>
        followChat({ chat }, input, { listen: paced, refuse: refusedIn(refusals, input.terminalId) }),
      ),
    page: (input) => chat.page.query(input),
    text: (input) => chat.text.query(input),
    name: (input) => chat.name.mutate(input),
    export: (input) => chat.export.query(input),
  };
}
