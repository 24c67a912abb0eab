import type { Stats } from '../../../src/logger/types.ts'

/** Throws if the delivery statistics of an exporter or their sums are inconsistent. */
export function expectBalanced(stats: Stats): void {
  for (const one of stats.exporters) {
    const { name, emitted, accepted, filtered, written, queued, unknown, dropped } = one
    if (emitted !== accepted + filtered) throw new Error(`${name}: ${emitted} emitted, ${accepted} + ${filtered}`)
    const sum = written + queued + unknown + dropped.total
    if (accepted !== sum) throw new Error(`${name}: ${accepted} accepted, ${sum} accounted for`)
    for (const counts of [dropped.byReason, dropped.byLevel]) {
      const total = Object.values(counts).reduce((before, count) => before + count, 0)
      if (total !== dropped.total) throw new Error(`${name}: ${dropped.total} dropped, ${total} by reason or level`)
    }
    const least = Math.min(emitted, accepted, filtered, written, queued, unknown, dropped.total)
    if (!(least >= 0)) throw new Error(`${name}: a count is ${least}`)
  }
  const written = stats.exporters.reduce((sum, one) => sum + one.written, 0)
  if (stats.written !== written) throw new Error(`${stats.written} written in total, ${written} by exporter`)
}
