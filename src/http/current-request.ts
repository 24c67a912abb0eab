import { contexts } from '../runtime/with-context.ts'
import { requestId } from './semantic-conventions.ts'

/** The id of the request that is being served in this call chain; undefined outside of all. */
export function currentRequestId(): string | undefined {
  const id = contexts().get()?.attributes.get(requestId)
  return typeof id === 'string' ? id : undefined
}
