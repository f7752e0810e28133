export const TURNS: number;
export function turnOf(env: NodeJS.ProcessEnv, root: string): number;
export function longSuites(root: string, turn: number): { all: string[]; left: string[] };
