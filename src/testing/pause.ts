import { delay } from '../platform/node/end-of-turn.ts'

/** Waits for some ms, at least one turn of the event loop. */
export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => delay(Math.max(1, millis), resolve).keepAlive(true))
}
