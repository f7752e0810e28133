/**
 * Claude Code's way into a session that is under way, for servers of the era with a handshake: it listens to one that announces this among
 * the experimental capabilities, once the person has started it with that server for a channel. Source: code.claude.com/docs, "Channels
 * reference"; shapes and conditions read and tried with 2.1.329.
 */
export const CHANNEL = 'claude/channel';
export const CHANNEL_METHOD = 'notifications/claude/channel';
