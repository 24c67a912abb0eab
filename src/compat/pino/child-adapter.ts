import type { ChildAdapter } from '../../logger/child-adapter.ts'
import type { Levels } from '../../logger/levels.ts'
import type { ChildOptions } from '../../logger/types.ts'
import { define } from '../../options/define-member.ts'
import { withoutPrototype } from '../../options/own-members.ts'
import type { Rules } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { withInheritedSerializers } from './inherited-serializers.ts'

/** Adapts the children that pino-http and fastify create of a logger, which they expect to be a logger of pino. */
export const pinoChildAdapter: ChildAdapter = {
  normalize: withInheritedSerializers,
  // Both pass their own options to `child`, among them `genReqId` with the value undefined.
  areFrameworkOptions: (options) => Object.hasOwn(options, 'genReqId'),
  withoutFrameworkOptions,
  createPrototype: createPinoPrototype,
}

/** Returns the options without those that only the framework uses, and without serializers that are ignored. */
function withoutFrameworkOptions(options: ChildOptions, parent: Rules): ChildOptions {
  const rest = withoutPrototype(
    Object.fromEntries(Object.entries(options).filter(([name]) => !frameworkOptions.has(name))),
  ) as ChildOptions
  const { serializers } = rest
  if (typeof serializers !== 'object' || serializers === null) return rest
  const remaining = Object.entries(serializers).filter(([key, serialize]) => !isIgnored(key, serialize, parent))
  return withoutPrototype({ ...rest, serializers: Object.fromEntries(remaining) })
}

/**
 * Returns whether a serializer that a framework passes is ignored. Pino's standard error serializer is, because it would turn
 * an exception into a plain object. Fastify's built-in serializers are ignored if the logger has a custom serializer of the same
 * name, as with a pino logger. Serializers that the user passes to pino-http are always used.
 */
function isIgnored(key: string, serialize: unknown, { serializers }: Rules): boolean {
  if (typeof serialize !== 'function') return false
  if (serialize.name === 'errSerializer') return true
  return fastifySerializers.has(serialize.name) && serializers.get(key) !== standardSerializers.get(key)
}

/** Names of Fastify's built-in serializers. */
const fastifySerializers: ReadonlySet<string> = new Set(['asReqValue', 'asResValue'])

/** The options of pino-http 11 that it does not remove itself. */
const frameworkOptions: ReadonlySet<string> = new Set([
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
 * Returns an object with the members that the frameworks read from a pino logger: the names and numbers of its levels, and two
 * members under symbols. The symbols belong to whichever copy of pino was loaded, so they are recognized by their descriptions.
 */
function createPinoPrototype(levels: Levels): object {
  const values = Object.fromEntries(levels.severities)
  const labels = Object.fromEntries([...levels.severities].map(([name, severity]) => [severity, name]))
  // As in pino, `silent` has a value, but is not enumerable.
  define(values, 'silent', { value: Infinity })
  const base = {}
  define(base, 'levels', { value: { values, labels } })
  return new Proxy(base, {
    get(target, key, receiver): unknown {
      const description = typeof key === 'symbol' ? key.description : undefined
      return description !== undefined && Object.hasOwn(symbolMembers, description)
        ? symbolMembers[description]
        : Reflect.get(target, key, receiver)
    },
  })
}

/**
 * The members that pino-http reads to avoid duplicate attributes: it searches the text of the bindings (`pino.chindings`) for the JSON of
 * an attribute (`pino.stringify`). Here the text of the bindings is empty and the JSON is any other text, so it is never found, and
 * pino-http adds each attribute. An attribute that is added twice is written once.
 */
const symbolMembers: Readonly<Record<string, unknown>> = { 'pino.stringify': () => 'attributes', 'pino.chindings': '' }
