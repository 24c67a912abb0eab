import type { ResolvedLimits } from './limits.ts'
import type { Redaction } from '../redact/redact.ts'

/** Turns a value into what shall be logged in its place. It may throw: the line then shows that it did. */
export type Serializer = (value: unknown) => unknown

/** What may leave: everything that stands between the caller's objects and the text. */
export interface Rules {
  readonly redaction: Redaction
  /** By top-level key. */
  readonly serializers: ReadonlyMap<string, Serializer>
  readonly limits: ResolvedLimits
}
