import { useEffect, useRef } from 'preact/hooks'

/**
 * Calls a function when values change, but not more often than once in some time. It is also called while they change all the time.
 *
 * @param millis - the time between two calls, in ms
 */
export function useThrottled(run: () => void, millis: number, values: readonly unknown[]): void {
  const lastRun = useRef(-Infinity)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        lastRun.current = performance.now()
        run()
      },
      Math.max(0, lastRun.current + millis - performance.now()),
    )
    return () => clearTimeout(timer)
  }, values)
}
