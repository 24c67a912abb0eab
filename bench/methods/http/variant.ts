import type { Variant } from '../../scenarios/scenario.ts'
import type { ServiceName } from './services.ts'

/** A server that logs, under as much load as it takes. */
export interface HttpVariant extends Variant {
  readonly service: ServiceName
  /** Each has one request under way at any time. */
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Laps of so many requests, each next to one of the same server without logging; default: one lap of `seconds`. */
  readonly pairs?: { readonly count: number; readonly requests: number }
}
