const bars = '▁▂▃▄▅▆▇█'

/** Returns counts as a line of bars. An interval without records is a space, and the highest bar is the largest count. */
export function sparkline(counts: readonly number[]): string {
  const max = counts.reduce((one, other) => Math.max(one, other), 0)
  return counts.map((count) => (count === 0 ? ' ' : bars.charAt(Math.ceil((count / max) * bars.length) - 1))).join('')
}
