import { getCallSites } from 'node:util'

/**
 * Returns the files on the call stack, nearest first.
 *
 * @param skipped - number of stack frames of this package to skip, including this function
 */
export function callers(skipped: number): string[] {
  return getCallSites(64)
    .slice(skipped)
    .map(({ scriptName }) => scriptName)
    .filter((name) => name !== '')
}
