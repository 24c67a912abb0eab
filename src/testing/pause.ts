import { delay } from '../platform/node/end-of-turn.ts'

/** Waits for a number of ms, at least 1. The process stays alive meanwhile. */
export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => delay(Math.max(1, millis), resolve).keepAlive(true))
}
