import type { Variant } from '../../scenarios/scenario.ts'
import type { ServiceName } from './services.ts'

/** A server that logs at full load. */
export interface HttpVariant extends Variant {
  readonly service: ServiceName
  /** The number of connections. Each has one request in flight at any time. */
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Laps with so many requests, alternating with the same server without logging. Default: one lap of `seconds`. */
  readonly pairs?: { readonly count: number; readonly requests: number }
}
