import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { defineEvent } from '../../src/logger/events.ts'
import type { LoggerOptions, RootLogger } from '../../src/logger/types.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { formats } from '../support/values/formats.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import type { Encoding } from '../../src/encode/encoding.ts'
import {
  canaries,
  leavesOf,
  pathsThroughPairs,
  redactionCase,
  ruleVariants,
  values,
  type Leaf,
  type Step,
} from '../support/values/line-paths.ts'
import { capturingExporter, createTestLogger, type CapturingExporter } from '../support/files/test-logger.ts'

type Emit = (log: RootLogger, value: object, keeper: CapturingExporter) => void
interface ValueSource {
  readonly emit: Emit
  readonly options?: (value: object) => LoggerOptions
}

function error(value: object, name = 'Error'): Error {
  return Object.assign(new Error('public'), { name, value })
}

const own = (value: object): Record<string, unknown> => ({ ...(value as Record<string, unknown>), plain: value })

/** Every way in which a call, a logger or its environment can add a value to a record. */
const sources: Readonly<Record<string, ValueSource>> = {
  'attributes of a call': { emit: (log, value) => log.info('m', own(value)) },
  'attributes before the message': { emit: (log, value) => log.info(own(value), 'm') },
  'attributes that are not a plain object': { emit: (log, value) => log.info(value as never, 'm') },
  'values of a template': { emit: (log, value) => log.info('{plain} {plain:json} {a}', own(value) as never) },
  'values of printf that are also attributes': { emit: (log, value) => log.info('%j', own(value), own(value)) },
  'surplus arguments': { emit: (log, value) => log.info('m', { first: 1 }, value, [value], 5, own(value)) },
  'surplus arguments next to an attribute args': { emit: (log, value) => log.info('m', { args: 1 }, value, [value]) },
  'an argument before the message': { emit: (log, value) => log.info([value] as never, 'm', value) },
  'a list as the body': { emit: (log, value) => log.info([value, [value]] as never) },
  'a Set as the body': { emit: (log, value) => log.info(new Set([value, 'x']) as never) },
  'a lazy call': { emit: (log, value) => log.info(() => ['m', own(value), value]) },
  'a child': { emit: (log, value) => log.child(own(value)).child({ more: value }).info('m {plain}') },
  'the context': { emit: (log, value) => withContext(own(value), () => log.info('m')) },
  'an event': { emit: (log, value) => defineEvent('paid')(log, own(value)) },
  'the type of an event with an Error': {
    emit: (log, value) => defineEvent('failed')(log, {}, error(value, leafIn(value))),
  },
  'the members of the exception': { emit: (log, value) => log.error(error(value)) },
  'the members of an exception and its cause': {
    emit: (log, value) => log.error('m', new Error('public', { cause: error(value) })),
  },
  'an Error that is an attribute': { emit: (log, value) => log.error('m', { failure: error(value, leafIn(value)) }) },
  'several Errors': { emit: (log, value) => log.error(error(value), 'm', { err: error(value), error: error(value) }) },
  'the attributes of a logger': { emit: (log) => log.info('m'), options: (value) => ({ attributes: own(value) }) },
  enrich: { emit: (log) => log.info('m {plain}'), options: (value) => ({ enrich: () => own(value) }) },
  'a serializer': {
    emit: (log, value) => log.info('m', { user: 1, ...own(value) }),
    options: (value) => ({ serializers: { user: () => value } }),
  },
  'a handler': {
    emit: (log) => log.info('m'),
    options: (value) => ({
      handler: (next) => ({
        handle(record) {
          record.attributes = { ...record.attributes, ...own(value) }
          next.handle(record)
        },
      }),
    }),
  },
  'a captured console': {
    emit: (log, value) => {
      const kept = createTestConsole()
      const capture = kept.capture({ logger: log, objects: 'attributes' })
      kept.console.log('m', value, [value], own(value))
      kept.console.log([value])
      void capture.release()
    },
  },
}

/** Returns the first string in a value. */
function leafIn(value: unknown): string {
  return leavesOf(JSON.parse(JSON.stringify(value)))[0]?.text ?? 'x'
}

/** Returns what is written for a value, as Latin-1. */
type Write = (value: object, encoding: Encoding, redact?: RedactOptions) => string

function byLogger({ emit, options }: ValueSource): Write {
  return (value, encoding, redact) => {
    const keeper = capturingExporter(encoding)
    const { log } = createTestLogger({ ...options?.(value), ...(redact === undefined ? {} : { redact }) }, keeper)
    emit(log, value, keeper)
    return keeper.bytes().toString('latin1')
  }
}

/** Records of the OpenTelemetry API, with bodies and attributes of any type. */
const byProvider: Write = (value, encoding, redact) => {
  const keeper = capturingExporter(encoding)
  const provider = createLoggerProvider({
    exporter: keeper,
    handleExit: false,
    ...(redact === undefined ? {} : { redact }),
  })
  const logger = provider.getLogger('test')
  logger.emit({ body: value, attributes: own(value) })
  logger.emit({ body: [value, [value]] as never, exception: error(value) })
  return keeper.bytes().toString('latin1')
}

/** Returns the values in lines, each with its path from the attributes or from the body. */
function shown(lines: string): Leaf[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const { resourceLogs } = JSON.parse(line) as { resourceLogs: any[] }
      return resourceLogs
        .flatMap(({ scopeLogs }) => scopeLogs)
        .flatMap(({ logRecords }) => logRecords)
        .flatMap(leavesOfRecord)
    })
}

function leavesOfRecord({ attributes, body }: any): Leaf[] {
  const named = leavesOf(plainValue({ kvlistValue: { values: attributes ?? [] } }))
  // A body that is a string was rendered, so its content has no path.
  return typeof body?.stringValue === 'string' ? named : named.concat(leavesOf(plainValue(body ?? {})))
}

function plainValue(value: any): unknown {
  if (value.kvlistValue !== undefined) {
    const entries = value.kvlistValue.values ?? []
    return Object.fromEntries(
      entries.map(({ key, value }: { key: string; value: unknown }) => [key, plainValue(value)]),
    )
  }
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(plainValue)
  return value.stringValue ?? null
}

/** Other paths at which rules apply: members of an argument or of an item of a body are redacted like attributes. */
function aliases(steps: readonly Step[]): (readonly Step[])[] {
  const all: (readonly Step[])[] = [steps]
  const [first, second] = steps
  if (first?.isIndex) all.push(steps.slice(1))
  if (/^_?args$/.test(first?.key ?? '') && second?.isIndex) all.push(steps.slice(2))
  // Rules for `err` and for `error` both apply to the exception, under either key.
  if (first?.key === 'err' || first?.key === 'error') {
    for (const key of ['err', 'error']) all.push([{ key, isIndex: false }, ...steps.slice(1)])
  }
  // The texts of the exception, and copies of them, belong to the Error.
  const part = /^(?:exception|error)\.(type|message|stacktrace)$/.exec(first?.key ?? '')?.[1]
  if (part !== undefined) {
    const names = part === 'type' ? ['type', 'name'] : part === 'stacktrace' ? ['stack', part] : [part]
    for (const key of ['err', 'error'])
      for (const name of names)
        all.push([
          { key, isIndex: false },
          { key: name, isIndex: false },
        ])
    all.push([{ key: `exception.${part}`, isIndex: false }], [{ key: `error.${part}`, isIndex: false }])
    if (part === 'stacktrace') all.push(...aliases([{ key: 'exception.type', isIndex: false }]))
  }
  // Two members of Errors have other names in the output.
  for (const [shown, name] of [
    ['type', 'name'],
    ['stacktrace', 'stack'],
  ] as const) {
    if (steps.at(-1)?.key === shown) all.push([...steps.slice(0, -1), { key: name, isIndex: false }])
  }
  // A stack begins with the type and the message, which are also redacted in it.
  if (steps.at(-1)?.key === 'stacktrace') {
    for (const key of ['type', 'name', 'message']) all.push([...steps.slice(0, -1), { key, isIndex: false }])
  }
  return all.flatMap(pathsThroughPairs)
}

const otlp = otlpJsonLines()
const writers: readonly (readonly [string, Write])[] = [
  ...Object.entries(sources).map(([name, front]) => [name, byLogger(front)] as const),
  ['the API of OpenTelemetry', byProvider],
]

describe('redaction by the path in the output', () => {
  test.each(writers)('a path redacts exactly the value that the output has at that path: %s', (_, write) => {
    const next = canaries()
    let checked = 0
    fc.assert(
      fc.property(values(next), fc.nat(), ruleVariants, fc.nat(formats.length - 1), (value, which, way, format) => {
        const before = shown(write(value, otlp))
        const question = redactionCase(before, which, way, aliases)
        fc.pre(question !== undefined)
        checked++
        const { redact, redacted, unredacted, isAmong } = question
        expect(isAmong(shown(write(value, otlp, redact)))).toBe(false)
        const bytes = write(value, formats[format]![1], redact)
        const all = write(value, jsonLines(), redact)
        expect(redacted.filter((canary) => bytes.includes(canary) || all.includes(canary))).toEqual([])
        expect(unredacted.filter((canary) => !all.includes(canary))).toEqual([])
      }),
      { numRuns: 80 },
    )
    expect(checked).toBeGreaterThan(15)
  })
})
