import type { ChildAdapter } from '../../logger/child-adapter.ts'
import type { Levels } from '../../logger/levels.ts'
import type { ChildOptions } from '../../logger/types.ts'
import { define } from '../../options/define-member.ts'
import { ownCopy } from '../../options/own-members.ts'
import type { Rules } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import { withInheritedSerializers } from './inherited-serializers.ts'

/** Adapts the children that pino-http and fastify create. Both expect a logger of pino. */
export const pinoChildAdapter: ChildAdapter = {
  normalize: withInheritedSerializers,
  // Both pass all their own options to the logger.
  isFramework: (options) => Object.hasOwn(options, 'genReqId'),
  withoutFrameworkOptions,
  prototype: pinoPrototype,
}

/** Returns the options without those that only the framework uses, and without serializers that are overridden. */
function withoutFrameworkOptions(options: ChildOptions, parent: Rules): ChildOptions {
  const rest = ownCopy(
    Object.fromEntries(Object.entries(options).filter(([name]) => !frameworkOptions.has(name))),
  ) as ChildOptions
  const { serializers } = rest
  if (typeof serializers !== 'object' || serializers === null) return rest
  const kept = Object.entries(serializers).filter(([key, serialize]) => !isOverridden(key, serialize, parent))
  return ownCopy({ ...rest, serializers: Object.fromEntries(kept) })
}

/**
 * Returns whether a serializer is overridden. Pino's standard error serializer is, because it would turn an exception into a
 * plain object. Fastify's built-in ones are overridden by the user's serializer of the same name, as with a pino logger; those
 * that the user passes to pino-http are not.
 */
function isOverridden(key: string, serialize: unknown, { serializers }: Rules): boolean {
  if (typeof serialize !== 'function') return false
  if (serialize.name === 'errSerializer') return true
  return fastifySerializers.has(serialize.name) && serializers.get(key) !== standardSerializers.get(key)
}

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
 * Returns an object with the members that the frameworks read from a pino logger: the names of its levels, and two members under
 * symbols. The symbols belong to whichever copy of pino was loaded, so they are recognized by their descriptions.
 */
function pinoPrototype(levels: Levels): object {
  const values = Object.fromEntries(levels.severities)
  const labels = Object.fromEntries([...levels.severities].map(([name, severity]) => [severity, name]))
  // As in pino: it has a value, but is not enumerated among the levels that have methods.
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
 * The members that pino-http reads to avoid duplicate attributes. Here a repeated attribute is written once anyway, so the result
 * is always that it is not set yet.
 */
const symbolMembers: Readonly<Record<string, unknown>> = { 'pino.stringify': () => 'attributes', 'pino.chindings': '' }
