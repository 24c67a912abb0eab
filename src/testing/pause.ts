import { delay } from '../platform/node/end-of-turn.ts'

/** Lets some ms pass, at least one turn of the event loop. */
export function pause(millis: number): Promise<void> {
  return new Promise((resolve) => delay(Math.max(1, millis), resolve).keepAlive(true))
}
