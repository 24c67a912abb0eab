import type { FullRecord } from './server-types.ts'
import { plainValue } from './plain-value.ts'

/** Returns a record as indented JSON. */
export function recordText(record: FullRecord): string {
  const { seq: _, attributes, resource, body, ...rest } = record
  const all = { ...rest, body: plainValue(body), attributes: plainValue(attributes), resource: plainValue(resource) }
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)), null, 2)
}
