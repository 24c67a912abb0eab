import { contexts } from '../platform/node/with-context.ts'
import { requestId } from './semantic-conventions.ts'

/**
 * The id of the request that is being served in this call chain; undefined outside of all. Loggers of `createLogger` say it by
 * themselves; others can be told it, as by a `mixin` of pino's.
 */
export function currentRequestId(): string | undefined {
  const id = contexts().get()?.bound.attributes.get(requestId)
  return typeof id === 'string' ? id : undefined
}
