import type { AgentQuestion } from '../../../src-main/contract/agents.ts';
import type { Reply } from '../scriptedModel/script.ts';
import type { AgentSeat } from './AgentSeat.ts';

/** Makes a real agent ask a question, and finds the chosen answer in what the agent did or sent to its model. */
export interface Asked {
  readonly prompt: string;
  readonly replies: readonly Reply[];
  /** Text that only this question shows. */
  readonly mark: string;
  /** Options that do not change later questions. */
  choices(question: AgentQuestion): readonly number[];
  /** Labels that could have been chosen, judged by what the agent did. */
  chosen(question: AgentQuestion): readonly string[];
}

const FRUITS = ['Apple', 'Banana', 'Cherry'];
/** Each agent's tool for a question to the person. */
const ASKING_TOOLS: Readonly<Record<string, string>> = {
  claude: 'AskUserQuestion',
  gemini: 'ask_user',
  opencode: 'question',
};
const ALWAYS = /always|session|don't ask|auto mode|allow all/i;
const REFUSES = /^(?:no|reject|deny|cancelled)\b/i;
/** The record's words for an answer by Escape, which is not an option. */
const CANCELLED = 'Cancelled (Esc)';

export function canAsk({ agent }: AgentSeat): boolean {
  return agent.name in ASKING_TOOLS;
}

/** A command with a permission prompt. It runs exactly once, or not at all. */
export function commandOf(seat: AgentSeat, mark: string): Asked {
  const file = `ran-${mark}.txt`;
  return {
    prompt: `run the command of ${mark}`,
    replies: [
      { text: `This is ${mark}.`, pace: 'burst', tool: { does: 'shell', command: `echo ${mark} >> ${file}` } },
      { text: `Finished with ${mark}.`, pace: 'burst' },
    ],
    mark,
    choices: ({ options }) => options.flatMap((label, at) => (ALWAYS.test(label) ? [] : [at])),
    chosen({ options }) {
      const ran = seat.read(file);
      if (ran !== '' && ran !== `${mark}\n`) throw new Error(`the command of ${mark} ran more than once: ${ran}`);
      return [...options, CANCELLED].filter((label) => REFUSES.test(label) === (ran === ''));
    },
  };
}

/** A question with three answers. The agent sends the chosen one to its model. */
export function choiceOf(seat: AgentSeat, mark: string): Asked {
  const options = FRUITS.map((label) => ({ label, description: `a kind of ${label.length} letters` }));
  const question = { question: `Which fruit is for ${mark}?`, header: 'Fruit', options };
  const isGemini = seat.agent.name === 'gemini';
  const input = { questions: [{ ...question, multiSelect: false, ...(isGemini && { type: 'choice' }) }] };
  const prompt = `ask the question of ${mark}`;
  return {
    prompt,
    replies: [
      { text: `I ask about ${mark}.`, pace: 'burst', call: { name: ASKING_TOOLS[seat.agent.name] ?? '', input } },
      { text: `Thank you for ${mark}.`, pace: 'burst' },
    ],
    mark,
    choices: (shown) => shown.options.flatMap((label, at) => (FRUITS.includes(label) ? [at] : [])),
    chosen() {
      const told =
        seat.model.served
          .filter(({ turn }) => turn.prompt === prompt)
          .at(-1)
          ?.results.at(-1)?.text ?? '';
      const fruits = FRUITS.filter((label) => told.includes(label));
      return fruits.length > 0 ? fruits : [CANCELLED];
    },
  };
}
