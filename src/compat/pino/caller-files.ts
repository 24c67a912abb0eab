import { getCallSites } from 'node:util'

/** More than the frames of this package and of a library that wraps it, so that the files include that of the application. */
const maxFrames = 64

/**
 * Returns the files of the nearest frames of the call stack, nearest first.
 *
 * @param skippedFrames - number of stack frames of this package to skip, including that of this function
 */
export function getCallerFiles(skippedFrames: number): string[] {
  return getCallSites(maxFrames)
    .slice(skippedFrames)
    .map(({ scriptName }) => scriptName)
    .filter((name) => name !== '')
}
