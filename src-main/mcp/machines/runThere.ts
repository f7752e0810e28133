import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import type { InputNeeded, TaskBegun, ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import { askEverywhere } from './askEverywhere.ts';
import type { LetIn } from './machineFor.ts';
import { passOn } from './passOn.ts';

/** Runs a tool on the right machine: the given one, all of them, or this one. */
export async function runThere(
  letIn: LetIn,
  machine: MachineLink | null,
  call: ToolCall,
): Promise<ToolAnswer | InputNeeded | TaskBegun> {
  const { tool, input } = letIn;
  if (machine !== null && tool.insteadThere !== undefined)
    throw new ToolFault('BAD_INPUT', `${tool.name} serves terminals of this machine only`, tool.insteadThere);
  if (machine !== null) return passOn(letIn, machine, call);
  if (call.machines !== null && tool.everywhere) return askEverywhere(letIn, call.machines, call);
  return tool.run(input, call);
}
