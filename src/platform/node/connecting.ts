import { member } from '../../options/own-members.ts'

/** Names in `process.getActiveResourcesInfo()`. */
const attempt = 'ConnectWrap'
/** The standard streams are listed as soon as they are used, although they do not keep the event loop running. */
const streams: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap'])
const mostStreams = 3

/**
 * Whether the program is over, and nothing but attempts to connect keeps the event loop running: an attempt does so even if its
 * socket is unreferenced. True as well while the program does nothing but read its standard input. False where the runtime does
 * not show it.
 */
export function isOnlyConnecting(): boolean {
  // The channel of a forked process is a stream as well.
  if (member(process.versions, 'bun') !== undefined || member(process, 'channel') !== undefined) return false
  const others = process.getActiveResourcesInfo().filter((name) => name !== attempt)
  return others.length <= mostStreams && others.every((name) => streams.has(name))
}
