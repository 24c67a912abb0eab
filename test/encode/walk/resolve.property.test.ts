import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { plainRules } from '../../../src/encode/plain-data.ts'
import { resolveRecord, Resolver } from '../../../src/encode/walk/resolve.ts'
import { BoundState } from '../../../src/record/bound.ts'
import { newRecord, type LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { resolveLimits } from '../../../src/values/limits.ts'
import { compileRedaction } from '../../../src/redact/redact.ts'
import type { Rules } from '../../../src/values/record-rules.ts'
import { standardSerializers } from '../../../src/values/serializers.ts'
import { withContext } from '../../../src/platform/node/with-context.ts'
import { descriptions, keys, memberDescriptions } from '../../support/values/arbitraries.ts'
import { build, buildMembers, type Description } from '../../support/build.ts'
import { testLayouts } from '../../support/values/layouts.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'

const rules: Rules = {
  redaction: compileRedaction({ paths: ['user.*', 'a', 'err.code'], keys: ['password', /^tok/] }, 'redact', []),
  serializers: new Map([
    ...standardSerializers,
    ['b', (value) => (typeof value === 'string' ? { text: value } : value)],
  ]),
  limits: resolveLimits({ attributes: 5, items: 3, depth: 5, stringLength: 12 }, 'limits', []),
}
const other = fc.constantFrom('err', 'error', 'args', 'exception.type')
const members: fc.Arbitrary<readonly (readonly [string, Description])[]> = fc
  .tuple(memberDescriptions, fc.array(fc.tuple(other, descriptions), { maxLength: 2 }))
  .map(([some, more]) => Array.from(new Map<string, Description>([...more, ...some])))

/** Random calls, as descriptions. */
const calls = fc.record({
  body: fc.oneof(fc.constantFrom('m', '{a} {b:json} {err} {user}', '%s %j %d', undefined), keys),
  attributes: fc.option(members, { nil: undefined }),
  enriched: fc.option(members, { nil: undefined }),
  bound: members,
  error: fc.boolean(),
  args: fc.option(fc.array(descriptions, { maxLength: 2 }), { nil: undefined }),
  extra: fc.option(fc.array(descriptions, { minLength: 1, maxLength: 2 }), { nil: undefined }),
})

type Call = typeof calls extends fc.Arbitrary<infer C> ? C : never

const boundTo = (call: Call): BoundState => {
  const { attributes, droppedCount: dropped } = new Resolver(rules).resolve(buildMembers(call.bound))
  return BoundState.of(
    {
      scope: { ...emptyScopeDetails, name: 'scope', version: undefined },
      resource: { attributes: new Map(), serviceName: undefined, schemaUrl: undefined },
      droppedAttributes: dropped,
      messagePrefix: '> ',
      context: undefined,
    },
    attributes,
  )
}

function recordOf(call: Call, bound: BoundState): LogRecord {
  return {
    ...newRecord(0, 9, 'info', bound),
    body: call.body,
    printfArguments: call.args?.map((value) => build(value)),
    extraArguments: call.extra?.map((value) => build(value)),
    attributes: call.attributes === undefined ? undefined : buildMembers(call.attributes),
    exception: call.error ? sameError : undefined,
    enrichedAttributes: call.enriched === undefined ? undefined : buildMembers(call.enriched),
  }
}

const sameError = Object.assign(new Error('same', { cause: 'text' }), { code: 'E', token: 't' })

test.each([
  ['plain JSON', jsonLines(), 400],
  ['OTLP/JSON', otlpJsonLines(), 400],
  ...testLayouts.slice(1).map(([name, layout]) => [`the layout ${name}`, jsonLines(layout), 40] as const),
])('a record that is resolved first is written as the same line of %s', (_, encoding, numRuns) => {
  const fused = encoderFor(encoding, rules)
  const plain = encoderFor(encoding, {
    ...plainRules,
    limits: { ...plainRules.limits, recordBytes: rules.limits.recordBytes },
  })
  fc.assert(
    fc.property(calls, (call) => {
      const bound = boundTo(call)
      const line = fused.encode(recordOf(call, bound)) as string
      expect(plain.encode(resolveRecord(recordOf(call, bound), rules))).toBe(line)
      const parsed = JSON.parse(line) as { attributes?: object }
      expect(Object.keys(parsed.attributes ?? {}).length).toBeLessThanOrEqual(5 + 5)
    }),
    { numRuns },
  )
})

/** Returns the layer with its name as each value. */
function valuesFrom(layer: object, name: string): object {
  return Object.fromEntries(Object.keys(layer).map((key) => [key, name]))
}

describe('precedence of attributes: call, context, child, attributes, enrich', () => {
  // JSON.parse of Node 24.21 confuses escaped keys of a single character that occur at the same position.
  const names = keys.filter((key) => JSON.stringify(key) === `"${key}"`)
  const layers = fc.array(fc.dictionary(names, fc.constant(null), { maxKeys: 4, noNullPrototype: true }), {
    minLength: 5,
    maxLength: 5,
  })
  test('each key is written once, with the value of the source that takes precedence', () => {
    fc.assert(
      fc.property(layers, ([enrich, attributes, child, context, call]) => {
        const { log, exporter } = createTestLogger({
          attributes: valuesFrom(attributes!, 'attributes'),
          enrich: () => valuesFrom(enrich!, 'enrich'),
        })
        const logger = log.child(valuesFrom(child!, 'child'))
        withContext(valuesFrom(context!, 'context'), () => logger.info('m', valuesFrom(call!, 'call')))
        const order: [object, string][] = [
          [enrich!, 'enrich'],
          [attributes!, 'attributes'],
          [child!, 'child'],
          [context!, 'context'],
          [call!, 'call'],
        ]
        const expected = new Map(
          order.flatMap(([layer, name]) => Object.keys(layer).map((key) => [key, name] as const)),
        )
        const line = exporter.lines()[0]!
        const written = (JSON.parse(line) as { attributes?: Record<string, string> }).attributes ?? {}
        expect(new Map(Object.entries(written))).toEqual(expected)
        // JSON.parse hides duplicate keys, so the values in the text are counted.
        expect(line.match(/:"(?:enrich|attributes|child|context|call)"/g)?.length ?? 0).toBe(expected.size)
      }),
      { numRuns: 200 },
    )
  })

  test('an Error of the call replaces a bound one and that of enrich', () => {
    const { log, captureLine } = createTestLogger({
      attributes: { err: new Error('bound') },
      enrich: () => ({ error: 1, err: new Error('enriched') }),
    })
    const call = captureLine(() => log.error('m', { err: Object.assign(new Error('call'), { code: 'E_CALL' }) }))
    expect(call.attributes).toEqual({
      error: 1,
      'exception.type': 'Error',
      'exception.message': 'call',
      'exception.stacktrace': expect.stringContaining('Error: call'),
      err: { code: 'E_CALL' },
    })
    const bare = captureLine(() => log.error('m', { err: new Error('call') }))
    expect(Object.keys(bare.attributes!)).toEqual([
      'error',
      'exception.type',
      'exception.message',
      'exception.stacktrace',
    ])
    const enriched = createTestLogger({ enrich: () => ({ err: new Error('enriched') }) })
    expect(enriched.captureLine(() => enriched.log.error('m', { err: new Error('call') })).attributes).toEqual({
      'exception.type': 'Error',
      'exception.message': 'call',
      'exception.stacktrace': expect.any(String),
    })
  })

  test('an attribute that is undefined in the call is set by another source, once', () => {
    const { log, exporter } = createTestLogger({ enrich: () => ({ args: 'enrich', 'exception.type': 'enrich' }) })
    log.error('m', { args: undefined, 'exception.type': undefined }, new Error('x'), 5)
    expect(exporter.text().match(/"args":"enrich"|"_args":\[5\]|"exception.type":"enrich"/g)).toHaveLength(3)
    expect(exporter.text().match(/args":|exception.type":/g)).toHaveLength(3)
  })

  test('precedence is the same with two formats as with one', () => {
    const options = {
      attributes: { err: new Error('bound'), a: 1, many: 'x'.repeat(20) },
      limits: { stringLength: 10, attributes: 4 },
    }
    const one = createTestLogger(options)
    const second = capturingExporter(jsonLines({ constants: { second: true } }))
    const two = createTestLogger({ ...options, exporter: [capturingExporter(), second] })
    const error = Object.assign(new Error('call'), { code: 5 })
    for (const { log } of [one, two]) {
      log.error('m', { err: new RangeError('bare') })
      log.child({ c: 1, d: 2, e: 3 }, { redact: ['d'] }).error('{a} {d}' as string, { err: error, a: 2, c: 3, x: 4 })
    }
    const expected = one.exporter.lines().map((line) => line.replace('"message"', '"second":true,"message"'))
    expect(second.lines()).toEqual(expected)
  })
})
