import type { ContextAttributes } from '../logger/bound.ts'
import { define } from '../record/define.ts'
import { contextWith } from '../runtime/with-context.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Settings } from './options.ts'
import { knownMethods, requestId, requestMethod, urlPath } from './semantic-conventions.ts'
import type { Trouble } from './trouble.ts'

/** What all that is logged while a request is served says of it. */
export function requestContext(
  request: HttpRequest,
  { id, path }: { readonly id: string; readonly path: string },
  settings: Settings,
  trouble: Trouble,
): ContextAttributes {
  const { method } = request
  const ours = new Map([
    [requestId, id],
    [requestMethod, knownMethods.has(method) ? method : '_OTHER'],
    [urlPath, path],
  ])
  return contextWith(attributesOf(request, settings, trouble), ours)
}

/**
 * The same for the records of the request itself. They are said outside of the context: a logger makes a snapshot of its own of each
 * context that it speaks in, and most requests are served without a word.
 */
export function contextFields({ attributes }: ContextAttributes): Fields {
  const fields: Fields = {}
  for (const [name, value] of attributes) {
    if (name === '__proto__') define(fields, name, { value, enumerable: true })
    else fields[name] = value
  }
  return fields
}

function attributesOf(request: HttpRequest, { attributes }: Settings, trouble: Trouble): object | undefined {
  if (attributes === undefined) return undefined
  const said = trouble.ask('attributes', () => attributes(request))
  return typeof said === 'object' && said !== null ? said : undefined
}
