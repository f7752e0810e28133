import { describe, expect, test } from 'vitest';
import { CommandHistory } from '../../../src-main/terminal/blocks/CommandHistory.ts';
import { aBlock } from '../../renderer/cards/aBlock.ts';

describe('the nearest command', () => {
  function historyOf(...commands: [cmd: string, cwd: string, exitCode?: number][]): CommandHistory {
    const history = new CommandHistory();
    for (const [at, [cmd, cwd, exitCode = 0]] of commands.entries())
      history.add(aBlock({ seq: at + 1, cmd, cwd, exitCode, startedMs: at }));
    return history;
  }
  const asked = { prefix: 'git ', cwd: '/src/quay/lib', project: '/src/quay' };

  test('is one of the folder, else of the project, else any, the newest of them', () => {
    const any = ['git far', '/src/quay-old'] as const;
    const newer = ['git newer', '/tmp'] as const;
    const near = ['git near', '/src/quay/bin'] as const;
    const here = ['git here', '/src/quay/lib'] as const;
    expect(historyOf([...any], [...newer]).nearest(asked)).toBe('git newer');
    expect(historyOf([...near], [...newer]).nearest(asked)).toBe('git near');
    expect(historyOf([...here], [...near], [...newer]).nearest(asked)).toBe('git here');
    expect(historyOf([...near], [...newer]).nearest({ ...asked, project: null })).toBe('git newer');
  });

  test('is no command that was not found, has several lines, or ends where the text ends', () => {
    const history = historyOf(['gti', '/a', 127], ['gt\nx', '/a'], ['g', '/a']);
    expect(history.nearest({ ...asked, prefix: 'g' })).toBeNull();
  });
});
