/** The turns of the event loop from now on. */
export interface Heartbeat {
  /** Ends it. Returns the longest that two turns lay apart, in ms. */
  stop(): number
}

/**
 * Asks for each turn of the event loop, which then never sleeps: what lies between two turns was work. Begun in the turn
 * in which something is called, it counts the call too.
 */
export function startHeartbeat(): Heartbeat {
  let longest = 0
  let last = performance.now()
  let next = setImmediate(beat)

  function beat(): void {
    measure()
    next = setImmediate(beat)
  }

  function measure(): void {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }

  return {
    stop() {
      measure()
      clearImmediate(next)
      return longest
    },
  }
}
