import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { checkOptions, flag, integer, suggestionText, text, typeName } from '../../options/option-checks.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import { durationForms, parseDuration } from '../../options/duration.ts'
import { RejectedRequest, type LevelsRequest, type RequestBody } from './levels-request.ts'

/** A change of levels that a client requests. */
export interface LevelChangeRequest {
  readonly directives: string
  /** Undefined for a change without an end. */
  readonly forMillis: number | undefined
}

/** How long a change lasts if the request does not set it, in ms. */
export const defaultMillis = 600_000
/** The maximum duration of a change that has an end, in ms. */
export const maxMillis = 86_400_000

/**
 * Reads the change that a PUT request contains: as JSON, or as plain text with the duration in the query.
 *
 * @throws RejectedRequest with 400 or 415.
 */
export async function readLevelChange(request: LevelsRequest): Promise<LevelChangeRequest> {
  const mediaType = mediaTypeOf(request)
  const query = queryOf(request, ['for', 'forever'])
  const body = await request.readBody()
  const change =
    mediaType === 'text/plain' ? withoutPrototype<ChangeBody>({ directives: textOf(body) }) : checkedBody(jsonOf(body))
  const directives = change.directives?.trim() ?? ''
  if (directives === '') throw new RejectedRequest(400, 'directives: are missing; send directives such as db.*=debug')
  return { directives, forMillis: durationOf(change, query) }
}

/**
 * Returns the parameters in the query of a request.
 *
 * @throws RejectedRequest if one is unknown or repeated.
 */
export function queryOf({ url }: LevelsRequest, known: readonly string[]): ReadonlyMap<string, string> {
  const start = url.indexOf('?')
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    if (!known.includes(name)) {
      const advice = known.length === 0 ? '' : suggestionText(name, known) || `; use ${known.join(' or ')}`
      throw new RejectedRequest(400, `the query has an unknown parameter${advice}`)
    }
    if (parameters.has(name)) throw new RejectedRequest(400, `the query has the parameter ${name} more than once`)
    parameters.set(name, value)
  }
  return parameters
}

/** The members of a JSON body. */
interface ChangeBody {
  readonly directives?: string
  readonly forMillis?: number
  readonly forever?: boolean
}

const bodySchema = { directives: text(), forMillis: integer(1, maxMillis), forever: flag }
const bodyExample = '{ "directives": "db.*=debug", "forMillis": 600000 }'

/** @throws RejectedRequest if the value is not the body of a change. */
function checkedBody(value: unknown): ChangeBody {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RejectedRequest(400, `the body must be an object such as ${bodyExample}, not ${typeName(value)}`)
  }
  const problems: ConfigurationProblem[] = []
  checkOptions(value, bodySchema, '', problems)
  if (problems.length > 0) {
    const message = problems.map(({ path, message: reason }) => `${path}: ${reason}`).join('; ')
    throw new RejectedRequest(400, `${message}; send ${bodyExample}`)
  }
  // Own members only: the prototype of a parsed body can be polluted.
  return withoutPrototype<ChangeBody>(value)
}

/** @throws RejectedRequest if the duration is invalid, or set twice. */
function durationOf({ forMillis, forever }: ChangeBody, query: ReadonlyMap<string, string>): number | undefined {
  const duration = query.get('for')
  const isForever = forever === true || isTrue(query.get('forever'))
  if ([forMillis !== undefined, duration !== undefined, isForever].filter(Boolean).length > 1) {
    throw new RejectedRequest(400, 'set one of forMillis, for and forever')
  }
  if (isForever) return undefined
  if (duration === undefined) return forMillis ?? defaultMillis
  const millis = parseDuration(duration)
  if (millis === undefined)
    throw new RejectedRequest(400, `for: is not a duration; write ${durationForms}, or forever=true for no end`)
  if (millis <= 0 || millis > maxMillis) {
    throw new RejectedRequest(400, 'for: must be at most 24h, and longer than 0; write forever=true for no end')
  }
  return Math.ceil(millis)
}

function isTrue(value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false
  if (value === 'true' || value === '') return true
  throw new RejectedRequest(400, 'forever: must be true or false')
}

/** @throws RejectedRequest if the body is in another format. */
function mediaTypeOf(request: LevelsRequest): 'application/json' | 'text/plain' {
  const [type = '', ...parameters] = (request.header('content-type') ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  const encoding = request.header('content-encoding') ?? 'identity'
  const isKnown = mediaType === 'application/json' || mediaType === 'text/plain'
  if (isKnown && isUtf8 && encoding.toLowerCase() === 'identity') return mediaType
  throw new RejectedRequest(
    415,
    "send content-type: application/json or text/plain in UTF-8, such as: curl -X PUT -H 'content-type: text/plain' -d 'db.*=debug'",
    {},
    { accept: 'application/json, text/plain' },
  )
}

function jsonOf(body: RequestBody): unknown {
  if (!('text' in body)) return body.parsed
  try {
    return JSON.parse(body.text) as unknown
  } catch {
    throw new RejectedRequest(400, `the body is not valid JSON; send ${bodyExample}`)
  }
}

function textOf(body: RequestBody): string {
  if ('text' in body) return body.text
  if (typeof body.parsed === 'string') return body.parsed
  throw new RejectedRequest(400, `the body must be text, not ${typeName(body.parsed)}`)
}
