/** A measurement of the turns of the event loop. */
export interface Heartbeat {
  /** Ends it. Returns the longest time between two turns, in ms. */
  stop(): number
}

/**
 * Schedules every turn of the event loop, which then never sleeps, so that the time between two turns is work. A call in the turn in
 * which it is started is included.
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
