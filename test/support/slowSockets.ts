import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core';

/** Delays the messages of web sockets opened from now on by `ms` each way, in their order, as a line to a machine far away does. */
export async function slowSockets(target: Page | BrowserContext, ms: number): Promise<void> {
  await target.routeWebSocket(/./, (socket: WebSocketRoute) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => void setTimeout(() => server.send(message), ms));
    server.onMessage((message) => void setTimeout(() => socket.send(message), ms));
  });
}
