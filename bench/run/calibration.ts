/** Returns the time of a fixed amount of work, at best about 10 ms. A longer time means that the machine was disturbed. */
export function calibrate(): number {
  const start = performance.now()
  let state = 1
  for (let i = 0; i < 6_000_000; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  const took = performance.now() - start
  // Uses the result, so that the compiler cannot remove the loop.
  return state === 0.5 ? NaN : took
}
