import { asFields, asString } from '../../../reconcile/jsonFields.ts';
import { itemsOf, type KnownItem, type PlanTool, planState, whole, wholeList } from '../../../reconcile/PlanFold.ts';

/** Claude Code's to-do tools: one that gives the whole list, and since 2.1 one tool for each change. */
export const CLAUDE_PLAN: Readonly<Record<string, PlanTool>> = {
  TodoWrite: wholeList('todos', 'content'),

  TaskCreate(items, { args, result, output }) {
    const id = asString(asFields(result?.task)?.id) ?? /^Task #(\S+) created/.exec(output)?.[1];
    const text = asString(args.subject);
    if (id === undefined || text === null) return null;
    const created: KnownItem = { id, text, state: 'open' };
    return [...items.filter((item) => item.id !== id), created];
  },

  TaskUpdate(items, { args, result }) {
    const known = items.find(({ id }) => id === asString(args.taskId));
    if (result?.success === false) return items;
    if (!known) return null;
    if (args.status === 'deleted') return items.filter((item) => item !== known);
    const state = args.status === undefined ? known.state : planState(args.status);
    if (state === null) return null;
    const changed: KnownItem = { ...known, state, text: asString(args.subject) ?? known.text };
    return items.map((item) => (item === known ? changed : item));
  },

  /** Shows changes by sub-agents and other sessions too. */
  TaskList: whole((_, { result }) => (Array.isArray(result?.tasks) ? itemsOf(result.tasks, 'subject') : null)),
};
