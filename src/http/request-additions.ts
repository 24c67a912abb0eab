import { plainObjectsOf } from '../encode/walk/resolve.ts'
import { captureAttributes } from '../platform/node/with-context.ts'
import type { AnyValue } from '../record/any-value.ts'
import { requestAttributeNames, type RequestContext } from './context-attributes.ts'
import type { Fields } from './fields.ts'

/** The attributes and the error that `set` and `fail` add to a request, until a record contains them. */
export class RequestAdditions {
  /** The first error that was passed to `fail`; undefined without one. */
  error: unknown
  readonly #attributes = new Map<string, AnyValue>()
  #droppedCount = 0

  /** Adds attributes. They are read now, so that later changes do not affect them. */
  set(attributes: object): void {
    // A getter may call `set`, so all attributes are read before the first one is stored.
    const { names, values, droppedCount } = captureAttributes(attributes)
    this.#droppedCount += droppedCount
    names.forEach((name, index) => {
      if (this.#attributes.size < maxAttributes || this.#attributes.has(name))
        this.#attributes.set(name, values[index]!)
      else this.#droppedCount++
    })
  }

  /** Sets the error, unless there is one already. */
  fail(error: unknown): void {
    // A program may pass null or undefined, which would mean that there is no error.
    this.error ??= error ?? String(error)
  }

  /** The route that was set, for a framework that provides none. */
  get route(): unknown {
    const route = this.#attributes.get('http.route')
    return route === undefined ? undefined : plainObjectsOf(route)
  }

  /**
   * Adds the attributes to a record. Call it after the record's own attributes were set, because the logger drops the last attributes if
   * there are too many. Of the attributes that the record has, only those of the context are overridden.
   */
  addTo(fields: Fields, context: RequestContext): void {
    if (this.#droppedCount > 0) fields['request_log.dropped_attributes'] = this.#droppedCount
    for (const [name, value] of this.#attributes) {
      const isTaken = reservedNames.has(name) || (Object.hasOwn(fields, name) && !context.hasOverridableAttribute(name))
      if (!isTaken) fields[name] = plainObjectsOf(value)
    }
  }
}

/** The names of the attributes that only the request log sets, including those that some records lack. */
const reservedNames: ReadonlySet<string> = new Set([
  ...requestAttributeNames,
  'http.response.status_code',
  'http.server.request.duration',
  'error.type',
])

/** The largest number of attributes kept for one request, so that a loop cannot use all memory. A logger's own limit is usually lower. */
const maxAttributes = 1_000
