import { fork } from 'node:child_process';

/** Runs `work` for every item, in order, with at most `jobs` at once. */
export async function inJobs<T>(items: readonly T[], jobs: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, next));
}

/** Runs a script in a child process; resolves with its output and the last message that it sent. */
export function runApart(script: string, args: readonly string[]): Promise<{ printed: string; message: unknown }> {
  return new Promise((resolve, reject) => {
    const child = fork(script, [...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let [printed, message]: [string, unknown] = ['', null];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed += String(data)));
    child.on('message', (sent) => {
      message = sent;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ printed, message }));
  });
}
