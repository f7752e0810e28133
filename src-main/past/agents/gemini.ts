import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { geminiLog } from '../../conversations/extraction/extractors/agents/gemini/ownLog.ts';
import {
  asFields,
  asList,
  asString,
  type Fields,
  parseObject,
} from '../../conversations/extraction/reconcile/jsonFields.ts';
import { type Extra, readerOf, subAgentLog, uuidIn } from './fromOwnLog.ts';
import type { PastAgent, PastSession, PastSink } from './PastAgent.ts';

const CHATS = (...names: readonly RegExp[]) => ({
  places: ({ home, env }: { home: string; env: Readonly<Record<string, string | undefined>> }) => [
    { folder: `${env.GEMINI_CLI_HOME ?? home}/.gemini/tmp`, path: [/^[\w.-]+$/, /^chats$/, ...names] },
  ],
});

/** Gemini CLI's `~/.gemini/tmp/<project>/chats/session-*`: one JSON object per line since 0.6x, one document before. */
export const gemini: PastAgent = {
  agent: 'gemini',
  checked: ['0.61.0'],
  logs: [
    {
      ...CHATS(/^session-.*\.jsonl$/),
      log: {
        form: 'lines',
        idOf: () => null,
        newReader: (sink, { path, state }) => readerOf(geminiLog, extraOf(path), { sink, state }),
      },
    },
    {
      ...CHATS(/^[0-9a-f-]{36}$/, /^[0-9a-f-]{36}\.jsonl$/), // of sub-agents
      log: subAgentLog(geminiLog, (path) => uuidIn(dirname(path))),
    },
    {
      ...CHATS(/^session-.*\.json$/),
      log: {
        form: 'whole',
        open(path) {
          const document = parseObject(readFileSync(path, 'utf8'));
          const id = asString(document?.sessionId);
          return {
            badParts: document && id !== null ? 0 : 1,
            close: () => undefined,
            *conversations() {
              if (!document || id === null) return;
              const stamp = asString(document.lastUpdated) ?? String(asList(document.messages).length);
              yield { id, stamp, read: (sink) => readDocument(sink, document, path) };
            },
          };
        },
      },
    },
  ],
  resume: (id) => `gemini --resume ${id}`,
};

function readDocument(sink: PastSink, document: Fields, path: string): PastSession {
  const reader = readerOf(geminiLog, extraOf(path), { sink, state: {} });
  reader.take({ ...document, messages: undefined });
  for (const message of asList(document.messages).map(asFields)) if (message) reader.take(message);
  return reader.session;
}

/** Adds the folder, which the log does not have. */
function extraOf(path: string): Extra {
  const cwd = projectOf(path);
  return { state: {}, facts: cwd === null ? {} : { cwd }, take: () => undefined };
}

/** The log has only a digest of the folder. Since 0.5x a file beside the chats has its path. */
function projectOf(path: string): string | null {
  try {
    const root = readFileSync(join(dirname(dirname(path)), '.project_root'), 'utf8').trim();
    return root.startsWith('/') ? root : null;
  } catch {
    return null; // an older version does not write the file
  }
}
