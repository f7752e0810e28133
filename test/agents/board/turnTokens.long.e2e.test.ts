import { readFileSync } from 'node:fs';
import { describe, onTestFinished, test } from 'vitest';
import type { ChatLine } from '../../../src-main/contract/chat/chat.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { connectTo } from '../../support/coreClient.ts';
import { soon } from '../../support/soon.ts';
import { ServedApp } from '../../support/WebApp.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import type { Reply } from '../scriptedModel/script.ts';
import { AgentSeat } from './AgentSeat.ts';

/** Tokens that the scripted model reports for each of its answers. */
const OF_AN_ANSWER = { input: 100, output: 20 };
const KINDS = ['claude', 'gemini', 'codex', 'opencode'];

const TURNS: readonly { prompt: string; replies: readonly Reply[] }[] = [
  { prompt: 'say the first word', replies: [{ text: 'The first word is amber.' }] },
  {
    prompt: 'read the page',
    replies: [{ text: 'I read the page.', tool: { does: 'read', path: 'README.md' } }, { text: 'The page was read.' }],
  },
  { prompt: 'say the last word', replies: [{ text: 'The last word is zinc.' }] },
];

describe.each(KINDS)('%s', (name) => {
  const agent = AGENTS.find((one) => one.name === name);
  const isHere = process.env.HANSARD_TEST_AGENTS === '1' && agent && installedVersion(agent) !== null;

  test.skipIf(!isHere)(
    'each turn has the tokens of its answers, as the model counted them',
    {
      timeout: 300_000,
    },
    async () => {
      if (!agent) return;
      const app = await new ServedApp().start();
      onTestFinished(() => app.dispose());
      const { api, dispose } = connectTo(app.home);
      onTestFinished(() => dispose());
      const seat = await AgentSeat.open(agent, api);
      onTestFinished(() => seat.dispose());
      await seat.start();
      for (const { prompt, replies } of TURNS) {
        seat.model.load({ prompt, replies });
        await seat.seat.line(prompt, agent);
        await seat.seat.says(replies.at(-1)?.text ?? '', prompt);
        await seat.seat.idle(agent, `${name} has finished "${prompt}"`);
      }
      const lines = (): ChatLine[] =>
        readFileSync(new SessionFolder(app.home, seat.terminalId).chatJsonl, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
      const figures = () => {
        const usages = new Map(
          lines().flatMap((line) => ('usage' in line && line.usage ? [[line.usage.turnId, line.usage]] : [])),
        );
        return [...usages.values()].map(({ input, output }) => ({ input, output }));
      };
      const expected = TURNS.map(({ replies: { length } }) => ({
        input: OF_AN_ANSWER.input * length,
        output: OF_AN_ANSWER.output * length,
      }));
      await soon(figures).toEqual(expected);
    },
  );
});
