import { contexts } from '../platform/node/with-context.ts'
import { requestId } from './semantic-conventions.ts'

/**
 * Returns the ID of the request that is handled in the current async context; undefined outside of a request. Loggers of
 * `createLogger` add it themselves; for other loggers it can be added by a hook, such as pino's `mixin`.
 */
export function currentRequestId(): string | undefined {
  const id = contexts().get()?.bound.attributes.get(requestId)
  return typeof id === 'string' ? id : undefined
}
