import * as fc from 'fast-check'
import type { Logger, LoggerOptions } from '../../src/logger/types.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { createTestLogger, type CapturingExporter } from '../support/files/test-logger.ts'

/** The value that rules redact, and a value that stays in the output. */
export const canary = 'CANARY4711'
export const open = 'OPEN4712'

type Shape = (typeof shapes)[number]
const shapes = ['plain', 'bare', 'class', 'map', 'mixedMap', 'toJSON', 'getter', 'proxy', 'error', 'toJSONMap'] as const

class Shop {
  #own = 1
  get own(): number {
    return this.#own
  }
}

/** Creates an object of some shape with one member. */
function shaped(shape: Shape, key: string, value: unknown): object {
  const plain = { before: 1, [key]: value }
  switch (shape) {
    case 'plain':
      return plain
    case 'bare':
      return Object.assign(Object.create(null) as object, plain)
    case 'class':
      return Object.assign(new Shop(), plain)
    case 'map':
      return new Map(Object.entries(plain))
    case 'mixedMap':
      return new Map<unknown, unknown>([[1, 2], ...Object.entries(plain)])
    case 'toJSON':
      return { toJSON: () => plain }
    case 'toJSONMap':
      return { toJSON: () => new Map(Object.entries(plain)) }
    case 'getter':
      return Object.defineProperty({ before: 1 }, key, { get: () => value, enumerable: true })
    case 'proxy':
      return new Proxy(plain, {})
    default:
      return Object.assign(new Error('public'), plain)
  }
}

const leaves: Readonly<Record<string, () => unknown>> = {
  text: () => canary,
  box: () => Object(canary) as unknown,
  symbol: () => Symbol(canary),
  function: () => Object.defineProperty(() => {}, 'name', { value: canary }),
  url: () => new URL(`https://host/${canary}`),
  object: () => ({ inner: { [canary]: canary } }),
  array: () => [1, [canary]],
  set: () => new Set([canary]),
  map: () => new Map([[1, canary]]),
  error: () => new Error(`"quoted"\n${canary}`, { cause: new Error(canary) }),
  toJSON: () => ({ toJSON: () => canary }),
  throwing: () => ({
    toJSON: () => {
      throw new Error(canary)
    },
  }),
}

const names = ['a', 'b', 'user', 'auth-Token', 'list', 'x y']

export const scenarios = fc
  .record({
    path: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...shapes)), { minLength: 1, maxLength: 4 }),
    inArray: fc.boolean(),
    leaf: fc.constantFrom(...Object.keys(leaves)),
    kind: fc.constantFrom('path', 'wildcard', 'deep', 'ancestor', 'key', 'regexp'),
    stars: fc.nat(15),
    where: fc.constantFrom(
      'call',
      'callFirst',
      'callMap',
      'callToJSON',
      'root',
      'child',
      'context',
      'enrich',
      'lazy',
      'extra',
      'printf',
      'body',
    ),
    ruled: fc.constantFrom('root', 'child', 'both'),
    censor: fc.constantFrom<RedactOptions[]>(
      {},
      { censor: 'X' },
      { censor: null },
      { censor: () => ({ y: 1 }) },
      { remove: true },
    ),
  })
  // The array is the value of the first member, so that a path has an index.
  .map((scenario) => Object.assign(scenario, { inArray: scenario.inArray && scenario.path.length > 1 }))

export type Scenario = typeof scenarios extends fc.Arbitrary<infer S> ? S : never

/** Returns the member that a scenario redacts. */
export function attributesOf({ path, inArray, leaf }: Scenario): { top: string; value: unknown } {
  const [[top], ...inner] = path as [[string, Shape], ...[string, Shape][]]
  let value = leaves[leaf]!()
  for (const [key, shape] of inner.toReversed()) value = shaped(shape, key, value)
  return { top, value: inArray ? [0, value] : value }
}

/** Returns the rule of a scenario. */
export function ruleOf({ path, inArray, kind, stars, censor }: Scenario): RedactOptions {
  const keys = path.map(([key]) => `["${key}"]`)
  if (inArray) keys.splice(1, 0, '[1]')
  const last = path.at(-1)![0]
  switch (kind) {
    case 'path':
      return { ...censor, paths: [dotted(keys)] }
    case 'wildcard':
      return {
        ...censor,
        paths: [dotted(keys.map((key, index) => (index < keys.length - 1 && (stars >> index) & 1 ? '*' : key)))],
      }
    case 'deep':
      return { ...censor, paths: [dotted(['**', ...keys.slice(stars % keys.length)])] }
    case 'ancestor':
      return { ...censor, paths: [dotted(keys.slice(0, 1 + (stars % keys.length)))] }
    case 'key':
      return { ...censor, keys: [last.toUpperCase().replace('-', '_')] }
    default:
      return { ...censor, keys: [new RegExp(`^${last}$`, 'g')] }
  }
}

function dotted(segments: readonly string[]): string {
  return segments.join('.').replaceAll('.[', '[')
}

/** A function that logs. */
type LogFunction = (...args: unknown[]) => void

/** Returns the bytes that a scenario writes with or without rules, as Latin-1. `front` returns the function that logs. */
export function written(
  scenario: Scenario,
  redact: RedactOptions | undefined,
  keeper: CapturingExporter,
  front: (log: Logger) => LogFunction = (log) => log.info,
): string {
  const { top, value } = attributesOf(scenario)
  const members = { [top]: value }
  const { where, ruled } = scenario
  const options: LoggerOptions = {
    ...(where === 'root' ? { attributes: members } : {}),
    ...(where === 'enrich' ? { enrich: () => members } : {}),
    ...(redact !== undefined && ruled !== 'child' ? { redact } : {}),
  }
  const bench = createTestLogger(options, keeper)
  const bound = bench.log.child({ open, ...(where === 'child' ? members : {}) })
  const log: Logger = redact === undefined || ruled === 'root' ? bound.child({}) : bound.child({}, { redact })
  const info = front(log)
  const insert = `{${top}} {${top}:json}`
  const calls: Partial<Record<string, () => void>> = {
    call: () => info(insert, { more: 1, ...members }),
    callFirst: () => info(members, insert, 'more'),
    callMap: () => info(insert, new Map(Object.entries(members))),
    callToJSON: () => info(insert, { toJSON: () => members }),
    context: () => withContext(members, () => info(insert)),
    lazy: () => info(() => [insert, members]),
    extra: () => info('m', { more: 1 }, members, 5, members),
    printf: () => info('%j %o %O %s', members, members, members, members, members),
    body: () => info([members, 1]),
  }
  ;(calls[where] ?? (() => info(insert)))()
  return bench.exporter.bytes().toString('latin1')
}
