import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { AgentDatabase } from '../../../src-main/conversations/tracking/AgentDatabase.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { ROOT } from '../../support/sourceFiles.ts';

const root = suiteFolder('own-database');
const FIXTURE = join(ROOT, 'test/fixtures/agents/own-logs/opencode-sub-agents');
const CWD = '/home/person/project';
const WORKING = ['explore: Count the files: working', 'general: Name the project: working'];
let round = 0;
let home = '';
let folder = '';

beforeEach(() => {
  home = join(root, `home${round++}`);
  folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
});

/** The agent's own connection, in the mode that it uses. Two sub-agents are at work. */
function written(name = 'opencode.db'): DatabaseSync {
  const db = new DatabaseSync(join(folder, name));
  onTestFinished(() => {
    if (db.isOpen) db.close();
  });
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(readFileSync(join(FIXTURE, 'working.sql'), 'utf8'));
  return db;
}

const promptMs = (db: DatabaseSync): number =>
  Number(db.prepare('SELECT min(time_created) AS ms FROM message').get()?.ms);

function asked(text: string, startedMs: number): ChatMessage {
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: 'some', extractorVersion: 1, confidence: 1 };
  const place = { id: 'm', terminalId: 't', conversationId: 'c', order: 1, kind: 'user', final: true };
  return ChatMessage.parse({ ...place, text, startedMs, updatedMs: startedMs, provenance });
}

const reader = (startedMs: number, cwd = CWD, env: Record<string, string> = {}): AgentDatabase =>
  new AgentDatabase({ agent: 'opencode', cwd, startedMs, home, env });

async function told(database: AgentDatabase, messages: ChatMessage[], more = {}): Promise<string[] | null> {
  const read = await database.read({ messages, ...more });
  return read ? read.subAgents.map(({ kind, title, state }) => `${kind}: ${title}: ${state}`) : null;
}

describe('the sub-agents in OpenCode’s database', () => {
  test('are there while they work, and end with the call that waits for them', async () => {
    const db = written();
    const [database, messages] = [reader(promptMs(db)), [asked('look', promptMs(db))]];
    expect(await told(database, messages)).toEqual(WORKING);
    expect(await told(database, messages)).toEqual(WORKING);
    db.exec(readFileSync(join(FIXTURE, 'done.sql'), 'utf8'));
    expect(await told(database, messages)).toEqual(WORKING.map((line) => line.replace('working', 'done')));
    const read = await database.read({ messages });
    expect(read?.subAgents.map(({ startedMs, sinceMs }) => sinceMs > startedMs)).toEqual([true, true]);
    expect(read?.messages).toEqual(read?.talk.messages);
    expect(read?.messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(['user: look']);
  });

  test.each([
    ['Task cancelled', 'stopped'], // after Esc in 1.18.33
    ['Tool execution aborted', 'stopped'],
    ['The model refused: Task cancelled by policy', 'failed'],
  ])('whose call ended with “%s” are %s', async (error, state) => {
    const db = written();
    const calls = db.prepare(`SELECT id, data FROM part WHERE data LIKE '%"sessionId"%' ORDER BY id`).all();
    const [id, part] = [String(calls[0]?.id), JSON.parse(String(calls[0]?.data))];
    const data = JSON.stringify({ ...part, state: { ...part.state, status: 'error', error } });
    db.prepare('UPDATE part SET data = ? WHERE id = ?').run(data, id);
    const ended = [`explore: Count the files: ${state}`, WORKING[1]];
    expect(await told(reader(promptMs(db)), [asked('look', promptMs(db))])).toEqual(ended);
  });

  test('stand below the sub-agent that started them, each once in a circle too', async () => {
    const db = written();
    const [top, first, second] = db
      .prepare('SELECT id FROM session ORDER BY parent_id IS NOT NULL, time_created')
      .all()
      .map(({ id }) => String(id));
    db.prepare('UPDATE session SET parent_id = ? WHERE id = ?').run(String(first), String(second));
    db.prepare('UPDATE session SET parent_id = ? WHERE id = ?').run(String(second), String(top));
    const read = await reader(0).read({ messages: [], sessionId: String(top) });
    expect(read?.subAgents.map(({ id, parentId }) => [id, parentId])).toEqual([
      [first, null],
      [second, first],
    ]);
  });

  test('are of the session with the prompt, or with the id that the agent says', async () => {
    const db = written();
    const at = promptMs(db);
    const id = String(db.prepare('SELECT id FROM session WHERE parent_id IS NULL').get()?.id);
    expect(await told(reader(at), [asked('something else', at)])).toBeNull();
    expect(await told(reader(at), [asked('look', at + 60_000)])).toBeNull();
    expect(await told(reader(at, '/elsewhere'), [asked('look', at)])).toBeNull();
    expect(
      await told(reader(at), [asked('look', at)], { isTaken: (path: string) => path.endsWith(`#${id}`) }),
    ).toBeNull();
    expect(await told(reader(at, '/elsewhere'), [], { sessionId: id })).toEqual(WORKING);
  });

  test('are read where the agent’s variables put the database', async () => {
    const db = written('other.db');
    const messages = [asked('look', promptMs(db))];
    expect(await told(reader(promptMs(db)), messages)).toBeNull();
    expect(await told(reader(promptMs(db), CWD, { OPENCODE_DB: 'other.db' }), messages)).toEqual(WORKING);
    const env = { XDG_DATA_HOME: join(home, '.local/share'), OPENCODE_DB: join(folder, 'other.db') };
    expect(await told(reader(promptMs(db), CWD, env), messages)).toEqual(WORKING);
  });

  test('are read without a change of any file, while the agent writes, after it was killed and after it ended', async () => {
    const db = written();
    const [at, live] = [promptMs(db), folder];
    const files = (of: string): [string, Buffer, number][] =>
      readdirSync(of).map((name) => [name, readFileSync(join(of, name)), statSync(join(of, name)).mtimeMs]);
    const toldAt = async (xdg: string): Promise<void> => {
      const before = files(join(xdg, 'opencode'));
      expect(await told(reader(at, CWD, { XDG_DATA_HOME: xdg }), [asked('look', at)])).toEqual(WORKING);
      expect(files(join(xdg, 'opencode'))).toEqual(before);
    };
    await toldAt(join(home, '.local/share'));
    const left = files(live);
    expect(left).toHaveLength(3);
    mkdirSync(join(home, 'killed/opencode'), { recursive: true });
    for (const [name, bytes] of left) writeFileSync(join(home, 'killed/opencode', name), bytes);
    await toldAt(join(home, 'killed'));
    db.close();
    expect(readdirSync(live)).toEqual(['opencode.db']);
    await toldAt(join(home, '.local/share'));
  });

  test('are not read from a file that is no database, or a link', async () => {
    expect(await told(reader(0), [])).toBeNull();
    writeFileSync(join(folder, 'opencode.db'), 'no database');
    await expect(told(reader(0), [])).rejects.toThrow('not a database');
    rmSync(join(folder, 'opencode.db'));
    symlinkSync(join(root, 'elsewhere.db'), join(folder, 'opencode.db'));
    expect(await told(reader(0), [])).toBeNull();
  });
});
