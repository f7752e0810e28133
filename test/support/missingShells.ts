import { beforeEach } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';

const missing = ['zsh', 'fish'].filter((shell) => findProgram(shell) === null);

/** A test that names a shell, in its own title or that of its suite or file, is skipped where that shell is not installed. */
beforeEach(({ task, skip }) => {
  for (const shell of missing)
    if (new RegExp(`\\b${shell}(?![a-z])`).test(`${task.file.name} ${task.fullName}`)) skip(`no ${shell} here`);
});
