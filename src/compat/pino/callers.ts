import { getCallSites } from 'node:util'

/** The files that a call came through, nearest first. `skipped`: how many functions of ours stand in front, this one included. */
export function callers(skipped: number): string[] {
  return getCallSites(64)
    .slice(skipped)
    .map(({ scriptName }) => scriptName)
    .filter((name) => name !== '')
}
