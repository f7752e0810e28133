import type { ChatEvent, ChatLine, ChatMessage, ChatQuestion, ChatTool, Conversation } from '../contract/chat/chat.ts';
import type { ChatPlan, SubAgent } from '../contract/chat/progress.ts';
import { withoutCutWord } from './cutText.ts';
import { redactSecrets } from './redactSecrets.ts';

/** A redacted conversation and the number of redacted secrets. */
export interface RedactedChat {
  readonly conversation: Conversation;
  readonly lines: readonly ChatLine[];
  readonly count: number;
}

/** Applies `redactSecrets` to all texts from a screen, a log or a person. Ids, times and offsets stay. */
export function redactChat(conversation: Conversation, lines: readonly ChatLine[]): RedactedChat {
  const redactor = new Redactor();
  const redacted = lines.map((line) => redactor.line(line));
  const { count } = redactor; // the title repeats a message whose secrets are already counted
  return { conversation: redactor.conversation(conversation), lines: redacted, count };
}

class Redactor {
  count = 0;

  readonly #text = (text: string): string => {
    const redacted = redactSecrets(text);
    this.count += redacted.count;
    return redacted.text;
  };

  /** Of a text that was cut when it was recorded, if it was long. */
  readonly #cut = (text: string): string => withoutCutWord(this.#text(text));

  line(line: ChatLine): ChatLine {
    return 'kind' in line ? this.#message(line) : this.#event(line);
  }

  conversation(conversation: Conversation): Conversation {
    const { title, cwd, evidence, plan, subAgents } = conversation;
    return {
      ...conversation,
      title: this.#cut(title),
      cwd: cwd === null ? null : this.#text(cwd),
      evidence: evidence && { ...evidence, line: this.#cut(evidence.line) },
      ...(plan && { plan: this.#plan(plan) }),
      ...(subAgents && { subAgents: subAgents.map((one) => this.#subAgent(one)) }),
    };
  }

  #message(message: ChatMessage): ChatMessage {
    const { text, tool, log, question } = message;
    return {
      ...message,
      text: this.#text(text),
      ...(tool && { tool: this.#tool(tool) }),
      ...(log && { log: eachText(log, this.#text) }),
      ...(question && { question: this.#question(question) }),
    };
  }

  #question({ options, verdict }: ChatQuestion): ChatQuestion {
    const choice = verdict?.choice;
    return {
      options: options.map(this.#text),
      ...(verdict && { verdict: { ...verdict, choice: typeof choice === 'string' ? this.#text(choice) : null } }),
    };
  }

  #tool({ status, ...texts }: ChatTool): ChatTool {
    return { ...eachText(texts, this.#text), ...(status && { status }) };
  }

  #plan(plan: ChatPlan): ChatPlan {
    return { ...plan, items: plan.items.map(({ text, state }) => ({ text: this.#cut(text), state })) };
  }

  #subAgent(one: SubAgent): SubAgent {
    return { ...one, title: this.#cut(one.title), kind: this.#cut(one.kind) };
  }

  #event(event: ChatEvent): ChatEvent {
    const { cwd, title, evidence, plan, subAgent } = event;
    return {
      ...event,
      ...(cwd !== undefined && { cwd: this.#text(cwd) }),
      ...(title !== undefined && { title: this.#cut(title) }),
      ...(evidence && { evidence: { ...evidence, line: this.#cut(evidence.line) } }),
      ...(plan && { plan: this.#plan(plan) }),
      ...(subAgent && { subAgent: this.#subAgent(subAgent) }),
    };
  }
}

/** Applies `change` to each text that is present. */
function eachText<T extends object>(texts: T, change: (text: string) => string): T {
  const entries = Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? change(text) : text]);
  return Object.fromEntries(entries) as T;
}
