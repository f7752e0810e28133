import { afterEach, describe, expect, test } from 'vitest';
import type { AuditChange, AuditFilter, AuditLine, AuditPage } from '../../../src-main/contract/mcp/audit.ts';
import { passes } from '../../../src-main/store/audit/auditFiles.ts';
import { Audit } from '../../../src-renderer/audit/Audit.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

function entry(n: number, change: Partial<AuditLine> = {}): AuditLine {
  return {
    n,
    ts: Date.UTC(2026, 2, 3, 12) + n,
    client: n % 2 ? 'odd' : 'even',
    caller_pty: null,
    pty: 't1',
    tool: 'pty_exec',
    what: `run ${n}`,
    block: null,
    args_digest: '',
    decision: n % 3 ? 'allowed' : 'denied',
    rule: null,
    bytes: 0,
    reads: null,
    prev: '',
    sha256: '',
    ...change,
  };
}

const VERDICT = { ok: true, entries: 3, files: 1, first: 1, last: 3, breaks: [], breakCount: 0, trustedTo: 0 };

/** A core with `log`, oldest first, that returns pages of `pageSize` lines. */
function setUp(log: AuditLine[], { pageSize = 200 }: { pageSize?: number } = {}) {
  let tell: (change: AuditChange) => void = () => undefined;
  let isStopped = false;
  const core = { fault: null as string | null };
  const { rpc, calls } = fakeRpc({
    'audit.page': ({ before, filter = {} }: { before?: { n: number }; filter?: AuditFilter }): AuditPage => {
      if (core.fault !== null) throw new Error(core.fault);
      const looked = log
        .filter(({ n }) => n < (before?.n ?? Infinity))
        .toReversed()
        .slice(0, pageSize);
      const last = looked.at(-1);
      const hasMore = last !== undefined && last.n > (log[0]?.n ?? 0);
      return { lines: looked.filter((line) => passes(line, filter)), next: hasMore ? { n: last.n, at: 0 } : null };
    },
    'audit.check': () => ({ verdict: VERDICT, checkedMs: 0, clients: ['odd', 'even'], terminals: ['t1'] }),
    'audit.onChange': (listen: (change: AuditChange) => void) => {
      tell = listen;
      listen({ type: 'from', n: log.at(-1)?.n ?? 0 });
      return () => {
        isStopped = true;
      };
    },
    'recording.list': () => [{ id: 't9', name: 'Quay', shell: 'bash', cwd: '/q' }],
  });
  const audit = new Audit(rpc);
  const shown = () => audit.lines.map(({ n }) => n);
  return { audit, calls, core, shown, tell: (change: AuditChange) => tell(change), hasStopped: () => isStopped };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => entry(from + at));

describe('the audit in the window', () => {
  let open: Audit | undefined;
  afterEach(() => open?.dispose());

  test('shows the newest first, and older ones page by page', async () => {
    const { audit, shown } = setUp(numbers(1, 5), { pageSize: 2 });
    open = audit;
    audit.open();
    await settled();
    expect([shown(), audit.hasMore]).toEqual([[5, 4], true]);
    audit.more();
    audit.more(); // one page is already requested
    await settled();
    expect(shown()).toEqual([5, 4, 3, 2]);
    audit.more();
    await settled();
    expect([shown(), audit.hasMore]).toEqual([[5, 4, 3, 2, 1], false]);
  });

  test('reads on over pages in which nothing passes the filter', async () => {
    const log = [entry(1, { client: 'rare' }), ...numbers(2, 30)];
    const { audit, shown } = setUp(log, { pageSize: 4 });
    open = audit;
    audit.open({ client: 'rare' });
    await settled();
    await settled();
    expect([shown(), audit.isLoading, audit.hasMore]).toEqual([[1], false, false]);
  });

  test('is live: what is written stands in front once, where it passes', async () => {
    const { audit, shown, tell } = setUp(numbers(1, 3));
    open = audit;
    audit.open();
    tell({ type: 'line', line: entry(4, { client: 'new one' }) }); // while the first page is requested
    await settled();
    tell({ type: 'line', line: entry(5) });
    expect(shown()).toEqual([5, 4, 3, 2, 1]);
    expect(audit.clients).toEqual(['odd', 'even', 'new one']);
    expect(audit.sinceCheck).toBe(2);
    audit.show({ decision: 'denied' });
    await settled();
    tell({ type: 'line', line: entry(7) });
    tell({ type: 'line', line: entry(9) });
    expect(shown()).toEqual([9, 3]);
  });

  test('after a lost connection shows what was written meanwhile', async () => {
    const log = numbers(1, 3);
    const { audit, shown, tell } = setUp(log);
    open = audit;
    audit.open();
    await settled();
    log.push(entry(4), entry(5));
    tell({ type: 'from', n: 5 });
    await settled();
    expect(shown()).toEqual([5, 4, 3, 2, 1]);
  });

  test('says what could not be read, keeps what was, and goes on when asked', async () => {
    const { audit, core, shown } = setUp(numbers(1, 4), { pageSize: 2 });
    open = audit;
    audit.open();
    await settled();
    core.fault = 'the disk is on fire';
    audit.more();
    await settled();
    expect([audit.fault, shown()]).toEqual(['the disk is on fire', [4, 3]]);
    core.fault = null;
    audit.again();
    await settled();
    expect([audit.fault, shown()]).toEqual([null, [4, 3, 2, 1]]);
  });

  test('an answer to an earlier question is not taken for the present one’s', async () => {
    const { audit, shown } = setUp(numbers(1, 6));
    open = audit;
    audit.open();
    audit.show({ client: 'odd' });
    await settled();
    expect(shown()).toEqual([5, 3, 1]);
  });

  test('the keys walk through the entries and stop at the ends', async () => {
    const { audit } = setUp(numbers(1, 4));
    open = audit;
    audit.open();
    await settled();
    const walk = [1, 1, 1, Infinity, 1, -1, -Infinity].map((by) => {
      audit.step(by);
      return audit.chosenN;
    });
    expect(walk).toEqual([4, 3, 2, 1, 1, 2, 4]);
  });

  test('days stand above their entries', async () => {
    const { audit } = setUp([entry(1, { ts: Date.UTC(2026, 0, 1, 12) }), entry(2), entry(3)]);
    open = audit;
    audit.open();
    await settled();
    expect(audit.items.map((item) => (item.type === 'day' ? 'day' : item.line.n))).toEqual(['day', 3, 2, 'day', 1]);
  });

  test('closed, nothing is followed any more', async () => {
    const { audit, hasStopped } = setUp([]);
    audit.open();
    await settled();
    audit.close();
    expect(hasStopped()).toBe(true);
  });
});
