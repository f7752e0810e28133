export const TURNS: number;
export function turnOf(env: NodeJS.ProcessEnv, root: string): number;
export function turnCountOf(env: NodeJS.ProcessEnv): number;
export function longSuites(root: string, turn: number, count?: number): { all: string[]; left: string[] };
