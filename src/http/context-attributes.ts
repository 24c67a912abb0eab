import { CombinedBounds, contextState, type ContextAttributes } from '../logger/bound.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import type { BoundState } from '../record/bound.ts'
import { contexts, contextWith } from '../platform/node/with-context.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './options.ts'
import { knownMethods } from './semantic-conventions.ts'
import type { RequestLogDiagnostics } from './request-log-diagnostics.ts'
import { ownCopy } from '../options/own-members.ts'

/** What all that is logged while a request is served says of it: what is known when it comes. */
export class RequestContext implements ContextAttributes {
  readonly id: string
  readonly bounds: CombinedBounds = new CombinedBounds()
  readonly #method: string
  readonly #path: string
  /** The context around, and what the user adds; undefined for neither. */
  readonly #around: ContextAttributes | undefined
  #bound: BoundState | undefined

  constructor(request: HttpRequest, id: string, path: string, settings: Settings, diagnostics: RequestLogDiagnostics) {
    const { method } = request
    this.id = id
    this.#method = knownMethods.has(method) ? method : '_OTHER'
    this.#path = path
    const own = attributesOf(request, settings, diagnostics)
    this.#around = own === undefined ? contexts().get() : contextWith(own)
  }

  /** Created when a logger needs it: most requests are served without a log call. */
  get bound(): BoundState {
    return (this.#bound ??= contextState(this.#around?.bound, {
      names: ownNames,
      keys: undefined,
      values: [this.id, this.#method, this.#path],
      shape: ownNames,
      dropped: 0,
    }))
  }

  get attributes(): AnyValueMap {
    return this.bound.attributes
  }

  /**
   * The same for the records of the request itself. They are said outside of the context: a logger makes a snapshot of its own of
   * each context that it speaks in.
   */
  fields(): Fields {
    if (this.#around === undefined) return this.#ours()
    const fields: Fields = ownCopy({})
    for (const [name, value] of this.attributes) fields[name] = value
    return fields
  }

  #ours(): Record<string, string> {
    return ownCopy({ 'request.id': this.id, 'http.request.method': this.#method, 'url.path': this.#path })
  }
}

const ownNames = ['request.id', 'http.request.method', 'url.path']

function attributesOf(
  request: HttpRequest,
  { attributes }: Settings,
  diagnostics: RequestLogDiagnostics,
): object | undefined {
  if (attributes === undefined) return undefined
  const said = diagnostics.callOption('attributes', () => attributes(request))
  return typeof said === 'object' && said !== null ? said : undefined
}
