import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import type { Layout } from '../../../src/encode/json/layout.ts'
import type { Redact } from '../../../src/redact/redact.ts'
import type { Limits } from '../../../src/values/limits.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { scanJson } from '../../security/fuzz/json-scanner.ts'
import { keys, nastyText } from '../../support/values/arbitraries.ts'
import { readLine, resolved, testLayouts } from '../../support/values/layouts.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'

/** Every name that a layout or the reader of its lines reserves, and the part of it before the first dot. */
const reservedNames = [
  ...new Set(
    testLayouts.flatMap(([, layout]) => {
      const { fields, constants, reservedNames: reserved } = resolved(layout)
      const names = [...fields.map(({ key }) => key), ...constants.map(([key]) => key), ...reserved]
      return names.flatMap((name) => [name, name.split('.')[0]!])
    }),
  ),
  'exception.type',
  'exception.message',
  'exception.stacktrace',
  '__proto__',
]

// JSON.parse of Node 24.21 confuses escaped keys of a single character that occur at the same position.
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...reservedNames) },
  keys.filter((key) => JSON.stringify(key) === `"${key}"`),
)

const values = fc.oneof(
  nastyText,
  fc.integer(),
  fc.constantFrom(null, true, undefined),
  fc.array(nastyText, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'level', 'trace_id', 'message'), nastyText, { maxKeys: 3 }),
)

type Members = readonly (readonly [string, unknown])[]
const memberArbitrary: fc.Arbitrary<Members> = fc.uniqueArray(fc.tuple(names, values), {
  selector: ([name]) => name,
  maxLength: 4,
})

/** The arguments of a call, for a logger of any layout. */
const calls = fc.record({
  call: fc.option(memberArbitrary, { nil: undefined }),
  child: memberArbitrary,
  context: memberArbitrary,
  enrich: memberArbitrary,
  message: fc.constantFrom('m', '{level} {status:json}', '"quoted"\n', undefined),
  error: fc.constantFrom('none', 'argument', 'err', 'error', 'members'),
  level: fc.constantFrom('info', 'warn', 'error', 'fatal'),
} as const)

type Call = typeof calls extends fc.Arbitrary<infer C> ? C : never

const failure = Object.assign(new TypeError('no route', { cause: new Error('deeper') }), {
  code: 'E_ROUTE',
  deep: { a: [1] },
})
const forger = Object.assign(new RangeError('far'), { level: 'USER', err: 'USER' })
const objectOf = (members: Members): object => new Map(members)

/** Returns the line that a call writes in a layout. */
function lineOf(layout: Layout, call: Call, redact: Redact = [], limits: Limits = {}): string {
  const keeper = capturingExporter(jsonLines(layout))
  const { log } = createTestLogger(
    {
      name: 'scope',
      version: '1',
      resource: { 'service.name': 'shop', 'service.version': '2' },
      enrich: () => objectOf(call.enrich),
      redact,
      limits,
      clock: () => 1_795_254_963_123.5,
    },
    keeper,
  )
  const attributes = new Map(call.call)
  if (call.error === 'err' || call.error === 'error') attributes.set(call.error, failure)
  const given = [
    ...(call.message === undefined ? [] : [call.message]),
    ...(call.call === undefined && attributes.size === 0 ? [] : [attributes]),
    ...(call.error === 'argument' ? [failure] : []),
    ...(call.error === 'members' ? [forger] : []),
  ]
  const child = log.child(objectOf(call.child))
  withContext(objectOf(call.context), () => (child[call.level] as (...args: unknown[]) => void)(...given))
  const lines = keeper.lines()
  expect(lines).toHaveLength(1)
  return lines[0]!
}

describe.each(testLayouts)('lines of the layout %s', (_, layout) => {
  const { fields, constants, reservedNames: reserved, omittedExceptionFields: omitted } = resolved(layout)

  test('a line is JSON without duplicate keys, and the fields of the layout come first', () => {
    const own = new Set([...fields.map(({ key }) => key), ...constants.map(([key]) => key)])
    fc.assert(
      fc.property(calls, (call) => {
        const top = scanJson(lineOf(layout, call))
        const firstOfUser = [...top, ''].findIndex((key) => !own.has(key))
        expect(top.slice(firstOfUser).filter((key) => own.has(key))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  test('no attribute becomes a field of the layout or of the reader of the line', () => {
    const nothing: Call = { ...emptyCall, message: 'm' }
    const untouched = readLine(layout, lineOf(layout, nothing))
    const taken = [...fields.map(({ key }) => key), ...constants.map(([key]) => key), ...reserved]
    fc.assert(
      fc.property(calls, (call) => {
        const quiet: Call = { ...call, message: 'm', level: 'info', error: 'none' }
        const line = readLine(layout, lineOf(layout, quiet))
        const dropped = fields.find(({ field }) => field === 'droppedAttributes')?.key
        expect(new Map([...line.core].filter(([key]) => key !== dropped))).toEqual(untouched.core)
        for (const name of line.topLevel) {
          expect(taken).not.toContain(name)
          // Nor a field for a reader to which a dot separates members.
          expect(taken.filter((key) => key.startsWith(`${name}.`))).toEqual([])
        }
      }),
      { numRuns: 40 },
    )
  })

  test('attributes and exception have the same text as in the layout sluice', () => {
    fc.assert(
      fc.property(calls, fc.boolean(), (call, redacts) => {
        const redact: Redact = redacts
          ? { paths: ['a', 'err.message', 'err.deep', '*.b', 'level', 'status'], keys: ['code', 'err'] }
          : []
        const plain = readLine({}, lineOf({}, call, redact))
        const line = readLine(layout, lineOf(layout, call, redact))
        const parts = exceptionParts.filter(([, field]) => !omitted.includes(field))
        expect(parts.map(([part]) => line[part])).toEqual(parts.map(([part]) => plain[part]))
        // What is not an attribute in this layout is a part of the exception, or the object of its own members.
        const elsewhere = [...plain.attributes].filter(([name]) => !line.attributes.has(name))
        const found = elsewhere.map(
          ([name, value]) => [name, /^err(?:or)?$/.test(name) ? line.members : value] as const,
        )
        const others = found.filter(([name]) => !/^(?:err(?:or)?|exception\.(?:type|message|stacktrace))$/.test(name))
        expect(others).toEqual([])
        expect(new Map([...line.attributes, ...found])).toEqual(plain.attributes)
      }),
      { numRuns: 40 },
    )
  })

  test('a redacted value is in no line, for every source of attributes', () => {
    const canary = 'CANARY4711'
    const exposed = new Set<string>()
    fc.assert(
      fc.property(
        fc.constantFrom(...reservedNames),
        fc.constantFrom('call', 'child', 'context', 'enrich', 'error'),
        (name, where) => {
          const write = (redact: Redact): string => {
            const keeper = capturingExporter(jsonLines(layout))
            const given = { [name]: canary, open: 1 }
            const error = Object.assign(new Error(`${canary} is secret`), { token: canary })
            const { log } = createTestLogger({ redact, ...(where === 'enrich' && { enrich: () => given }) }, keeper)
            const logger = where === 'child' ? log.child(given) : log
            const logCall = (): void =>
              where === 'error' ? logger.error('m', error) : logger.info('m', where === 'call' ? given : {})
            if (where === 'context') withContext(given, logCall)
            else logCall()
            return keeper.text()
          }
          const escaped = JSON.stringify(name)
          const rule = where === 'error' ? ['err.message', 'err.token'] : [`[${escaped}]`]
          expect(write(rule)).not.toContain(canary)
          // Without the rule the value is written, unless the layout has no field for it.
          if (write([]).includes(canary)) exposed.add(where)
        },
      ),
      { numRuns: 40 },
    )
    expect(exposed.size).toBe(5)
  })

  test('a line has at most recordBytes, and its exception keeps its type', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1_024, max: 3_000 }), fc.nat(2_000), (call, recordBytes, length) => {
        const some: Members = [...(call.call ?? []), ['long', 'é'.repeat(length)]]
        const long: Call = { ...call, error: 'argument', message: 'm', call: some }
        const text = lineOf(layout, long, [], { recordBytes })
        scanJson(text)
        expect(Buffer.byteLength(text) + 1).toBeLessThanOrEqual(recordBytes)
        // A user attribute with the key of the type replaces the type.
        fc.pre(![...some, ...call.child, ...call.context, ...call.enrich].some(([name]) => name === 'exception.type'))
        expect(readLine(layout, text).type).toBe('TypeError')
      }),
      { numRuns: 40 },
    )
  })
})

const emptyCall: Call = {
  call: undefined,
  child: [],
  context: [],
  enrich: [],
  message: undefined,
  error: 'none',
  level: 'info',
}

const exceptionParts = [
  ['type', 'exceptionType', 'exception.type'],
  ['message', 'exceptionMessage', 'exception.message'],
  ['stacktrace', 'exceptionStacktrace', 'exception.stacktrace'],
] as const
