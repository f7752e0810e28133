import { describe, expect, test, vi } from 'vitest';
import { HistorySearch } from '../../../src-renderer/search/HistorySearch.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

describe('the search through history', () => {
  test('only the answer to the latest question is shown, however late the earlier one comes', async () => {
    const waiting = new Map<string, (entries: unknown[]) => void>();
    const { rpc } = fakeRpc({
      'history.list': ({ query }: { query: string }) => new Promise((resolve) => waiting.set(query, resolve)),
    });
    const history = new HistorySearch(rpc);
    const searches = [history.search('g'), history.search('git')];
    await vi.waitFor(() => expect(waiting.size).toBe(2));
    waiting.get('git')?.([{ cmd: 'git log' }]);
    waiting.get('g')?.([{ cmd: 'grep' }]);
    await Promise.all(searches);
    expect([history.entries.map(({ cmd }) => cmd), history.chosen]).toEqual([['git log'], 'git log']);
  });
});
