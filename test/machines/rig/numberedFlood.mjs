// Prints numbered lines that compress badly until a file `stop` is in the working directory; the last line has their number.
// Argument: pause after every hundred lines, in ms.
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
