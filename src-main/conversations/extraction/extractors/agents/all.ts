import type { IExtractor } from '../../../../contract/chat/extractor.ts';
import { aider } from './aider.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { goose } from './goose.ts';
import { kimi } from './kimi.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** All extractors, one line each. */
export const EXTRACTORS: readonly IExtractor[] = [
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  aider,
  goose,
  qwen,
  kimi,
  cline,
];
/** For an agent that no extractor recognises. */
export const FALLBACK: IExtractor = generic;
