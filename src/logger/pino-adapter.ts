import { define } from '../options/define-member.ts'
import type { Rules } from '../values/record-rules.ts'
import { standardSerializers } from '../values/serializers.ts'
import type { Levels } from './levels.ts'
import type { ChildOptions } from './types.ts'
import { ownCopy } from '../options/own-members.ts'

/** Whether a child's options are those of pino-http or fastify, which hand all of their own to the logger they are given. */
export function areOfPinoAdapter(options: object): boolean {
  return Object.hasOwn(options, 'genReqId')
}

/** The same options without those that are the adapter's alone, and mean nothing to a logger, and without serializers that give way. */
export function withoutOwnOptions(options: ChildOptions, parent: Rules): ChildOptions {
  const rest = ownCopy(
    Object.fromEntries(Object.entries(options).filter(([name]) => !ownOptions.has(name))),
  ) as ChildOptions
  const { serializers } = rest
  if (typeof serializers !== 'object' || serializers === null) return rest
  const kept = Object.entries(serializers).filter(([key, serialize]) => !givesWay(key, serialize, parent))
  return ownCopy({ ...rest, serializers: Object.fromEntries(kept) })
}

/**
 * Pino's standard serializer of errors gives way: it would make a plain object of what is an exception. Those that fastify has
 * for everybody give way to the user's of the same name, as with a logger of pino; those that pino-http is given do not.
 */
function givesWay(key: string, serialize: unknown, { serializers }: Rules): boolean {
  if (typeof serialize !== 'function') return false
  if (serialize.name === 'errSerializer') return true
  return ofFastify.has(serialize.name) && serializers.get(key) !== standardSerializers.get(key)
}

const ofFastify: ReadonlySet<string> = new Set(['asReqValue', 'asResValue'])

/** Those of pino-http 11 that it does not take out itself. */
const ownOptions: ReadonlySet<string> = new Set([
  'customErrorMessage',
  'customErrorObject',
  'customProps',
  'customReceivedMessage',
  'customReceivedObject',
  'customSuccessMessage',
  'customSuccessObject',
  'genReqId',
  'logger',
  'quietReqLogger',
  'quietResLogger',
  'useLevel',
])

/**
 * The prototype of a logger that has what they look for in one of pino's: the names of its levels, and two members under symbols.
 * The symbols are those of whichever copy of pino was loaded; so they are known by their descriptions.
 */
export function pinoPrototype(levels: Levels): object {
  const values = Object.fromEntries(levels.severities)
  const labels = Object.fromEntries([...levels.severities].map(([name, severity]) => [severity, name]))
  // As pino's: known, and not among those that there are methods for.
  define(values, 'silent', { value: Infinity })
  const known = {}
  define(known, 'levels', { value: { values, labels } })
  return new Proxy(known, {
    get(target, key, receiver): unknown {
      const description = typeof key === 'symbol' ? key.description : undefined
      return description !== undefined && Object.hasOwn(asked, description)
        ? asked[description]
        : Reflect.get(target, key, receiver)
    },
  })
}

/**
 * pino-http asks for what a logger's parents say only to say nothing twice: here an attribute that is said again is there once, so
 * the answer is always that it has not been said.
 */
const asked: Readonly<Record<string, unknown>> = { 'pino.stringify': () => 'attributes', 'pino.chindings': '' }
