import { surviveErrors } from '../../src-main/hosts/surviveErrors.ts';
import { Notices } from '../../src-main/notices/Notices.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { Emitter } from '../../src-main/util/Emitter.ts';
import { detach } from '../../src-main/util/strayErrors.ts';

/** Runs as its own program: throws every kind of unhandled error and prints the logged and raised results as one JSON object. */
const logged: unknown[] = [];
const raised: string[] = [];
const notices = new Notices();
detachedFollow();
const survival = surviveErrors({
  clock: systemClock,
  notices,
  log: (_event, fields) => logged.push([fields?.source, fields?.reason, fields?.count]),
});

const emitter = new Emitter<number>();
const heard: number[] = [];
emitter.on(() => {
  throw new Error('in a listener');
});
emitter.on((value) => heard.push(value));
for (let value = 1; value <= 5; value += 1) emitter.fire(value);
detach('Worker', Promise.reject(new Error('detached')));
setTimeout(() => {
  throw new Error('in a timer');
});
Promise.reject(new Error('awaited by nobody'));
setTimeout(() => {
  survival.dispose();
  process.stdout.write(
    JSON.stringify({ heard, logged, raised, listeners: process.listenerCount('uncaughtException') }),
  );
}, 50);

function detachedFollow(): void {
  const { raise } = notices;
  notices.raise = (notice) => {
    raised.push(notice.key);
    raise.call(notices, notice);
  };
}
