/**
 * Messages into a running session of Claude Code, for servers of the era with a handshake. Claude Code listens to a server that announces this among
 * its experimental capabilities, if the person started it with that server as a channel. Source: code.claude.com/docs, "Channels reference"; shapes
 * and conditions read and tried with 2.1.329.
 */
export const CHANNEL = 'claude/channel';
export const CHANNEL_METHOD = 'notifications/claude/channel';
