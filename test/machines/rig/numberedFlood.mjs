// Prints numbered lines that no compression makes small until a file `stop` is in its folder; the last line says how many there were.
// The argument: a pause after each hundred lines, ms.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = Number(process.argv[2]);
let line = 0;
while (line % 100 !== 0 || !existsSync('stop')) {
  const text = `${createHash('sha256').update(String(line)).digest('base64')} ${line}\n`;
  line += 1;
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  if (line % 100 === 0) await sleep(pauseMs);
}
process.stdout.write(`end ${line}\n`);
