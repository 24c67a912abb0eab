/** A fixed piece of work of some 10 ms, in ms: what it takes longer than at best was taken by something else. */
export function calibrate(): number {
  const start = performance.now()
  let state = 1
  for (let i = 0; i < 6_000_000; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  const took = performance.now() - start
  // The result is looked at, so that the loop cannot be left out.
  return state === 0.5 ? NaN : took
}
