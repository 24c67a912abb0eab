import type { MetricAttributes } from './meter.ts'

const counts = new Map<string, number>()

/** How metrics name one more part of a pipeline: by its type, and by how many of it there were before in this process. */
export function componentAttributes(type: string): MetricAttributes {
  const count = counts.get(type) ?? 0
  counts.set(type, count + 1)
  return { 'otel.component.type': type, 'otel.component.name': `${type}/${count}` }
}
