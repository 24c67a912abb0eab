import { parseQuery } from '../../read/query/parse-query.ts'
import { levelClasses, type LevelClass } from '../views/level-classes.ts'
import type { ViewFilter } from '../views/view-filter.ts'
import { HttpError } from '../server/http-error.ts'

/**
 * Reads the parameters of a view: `level` and `service` (repeatable), `trace`, `template`, `from`, `until` and `q`.
 *
 * @throws HttpError, or a QueryError if `q` is not a valid query.
 */
export function filterOf(parameters: URLSearchParams): ViewFilter {
  const levels = parameters.getAll('level')
  const unknown = levels.find((level) => !levelClasses.includes(level as LevelClass))
  if (unknown !== undefined) throw new HttpError(400, `level: '${unknown}' is not one of ${levelClasses.join(', ')}`)
  const services = parameters.getAll('service')
  const query = parameters.get('q')?.trim() ?? ''
  return {
    levels: levels.length === 0 ? undefined : new Set(levels as LevelClass[]),
    services: services.length === 0 ? undefined : new Set(services),
    traceId: traceIdIn(parameters),
    template: numberIn(parameters, 'template'),
    from: numberIn(parameters, 'from'),
    until: numberIn(parameters, 'until'),
    query: query === '' ? undefined : parseQuery(query),
  }
}

/**
 * Returns a parameter that is a number; undefined without it.
 *
 * @throws HttpError
 */
export function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === null) return undefined
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) throw new HttpError(400, `${name}: '${text}' is not a number`)
  return number
}

function traceIdIn(parameters: URLSearchParams): string | undefined {
  const traceId = parameters.get('trace')?.toLowerCase()
  if (traceId !== undefined && !/^[\da-f]{32}$/.test(traceId))
    throw new HttpError(400, `trace: '${traceId}' must have 32 hexadecimal digits`)
  return traceId
}
