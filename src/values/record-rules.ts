import type { ResolvedLimits } from './limits.ts'
import type { Redaction } from '../redact/redact.ts'

/** Returns the value that is logged instead of the given one. If it throws, the line contains a marker. */
export type Serializer = (value: unknown) => unknown

/** The redaction rules, serializers and limits that are applied to the caller's objects. */
export interface Rules {
  readonly redaction: Redaction
  /** Serializers by top-level key. */
  readonly serializers: ReadonlyMap<string, Serializer>
  readonly limits: ResolvedLimits
}
