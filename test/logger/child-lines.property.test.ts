import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { withContext } from '../../src/entries/index.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import type { Logger, LoggerOptions } from '../../src/logger/types.ts'
import { keys, memberDescriptions } from '../support/values/arbitraries.ts'
import { buildMembers, type Description } from '../support/build.ts'
import { testLayouts } from '../support/values/layouts.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'

type Members = readonly (readonly [string, Description])[]

const options: LoggerOptions = {
  clock: () => 0,
  redact: { paths: ['user.*', 'a', 'items[*].b'], keys: ['password', /^tok/], patterns: ['email'] },
  serializers: { b: (value) => (typeof value === 'string' ? { text: value } : value) },
  limits: { depth: 5, items: 3, stringLength: 12 },
  handleExit: false,
}
const plain: LoggerOptions = { clock: () => 0, handleExit: false }
const encodings = [
  ['OTLP/JSON', otlpJsonLines()],
  ['OTLP/protobuf', otlpEncoding('http/protobuf')],
  ...testLayouts.map(([name, layout]) => [`the layout ${name}`, jsonLines(layout)] as const),
] as const

/** Returns, as text, the bytes of two records; the second one uses what the encoder cached for the first one. */
function written(given: LoggerOptions, encoding: (typeof encodings)[number][1], use: (log: Logger) => void): string {
  const keeper = capturingExporter(encoding)
  const { log } = createTestLogger({ ...given, exporter: keeper })
  use(log)
  return keeper.bytes().toString('latin1')
}

const call = (log: Logger, members: Members): void => {
  log.info('first', buildMembers(members))
  log.info('second')
}

/** An object keeps the order of these names. */
const names = keys.filter((key) => !/^\d+$/.test(key))

describe.each(encodings)('lines of child loggers in %s', (_, encoding) => {
  test.each([
    ['without rules', plain],
    ['with redaction, serializers and limits', options],
  ])('a child logger writes the lines of a root logger with the same attributes, %s', (__, given) => {
    fc.assert(
      fc.property(memberDescriptions, memberDescriptions, (bound, members) => {
        const attributes = buildMembers(bound)
        const expected = written({ ...given, attributes }, encoding, (log) => call(log, members))
        expect(written(given, encoding, (log) => call(log.child(buildMembers(bound)), members))).toEqual(expected)
      }),
      { numRuns: 12 },
    )
  })

  test.each([
    ['without rules', plain],
    ['with redaction, serializers and limits', { ...options, limits: { stringLength: 12 } }],
  ])('a chain of child loggers and nested contexts write the lines of one child logger, %s', (__, given) => {
    const scalars = fc.dictionary(names, fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean()), {
      maxKeys: 4,
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(scalars, scalars, memberDescriptions, (outer, inner, members) => {
        // Names that are bound again follow the others.
        const kept = Object.entries(outer).filter(([key]) => !Object.hasOwn(inner, key))
        const all = Object.fromEntries([...kept, ...Object.entries(inner)])
        const expected = written(given, encoding, (log) => call(log.child(all), members))
        const chained = written(given, encoding, (log) => call(log.child(outer).child(inner), members))
        const nested = written(given, encoding, (log) =>
          withContext(outer, () => withContext(inner, () => call(log, members))),
        )
        expect(chained).toEqual(expected)
        expect(nested).toEqual(expected)
      }),
      { numRuns: 12 },
    )
  })
})
