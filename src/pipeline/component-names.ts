import type { MetricAttributes } from './meter.ts'

const counts = new Map<string, number>()

/**
 * Returns the metric attributes of a new pipeline component: its type, and a name that numbers the components of this type in the
 * process.
 */
export function createComponentAttributes(type: string): MetricAttributes {
  const count = counts.get(type) ?? 0
  counts.set(type, count + 1)
  return { 'otel.component.type': type, 'otel.component.name': `${type}/${count}` }
}
