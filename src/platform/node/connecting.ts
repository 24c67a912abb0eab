import { member } from '../../options/own-members.ts'

/** The name of a socket that is connecting, in `process.getActiveResourcesInfo()`. */
const connectionAttempt = 'ConnectWrap'
/**
 * The names of the standard streams in that list. They are in it once they have been used, although they do not keep the event loop
 * running.
 */
const streamTypes: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap'])
/** The number of standard streams. */
const maxStreams = 3

/**
 * Returns whether nothing but connection attempts, or nothing at all, keeps the event loop running, so that the program has
 * finished. An attempt keeps the event loop running even if its socket is unreferenced. Also true while the program only reads its
 * standard input. False if the runtime does not provide this information.
 */
export function isOnlyConnecting(): boolean {
  // The channel of a forked process would be listed like a standard stream.
  if (member(process.versions, 'bun') !== undefined || member(process, 'channel') !== undefined) return false
  const others = process.getActiveResourcesInfo().filter((name) => name !== connectionAttempt)
  return others.length <= maxStreams && others.every((name) => streamTypes.has(name))
}
