import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { withContext } from '../../src/entries/index.ts'
import type { LoggerOptions } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { pino } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'

/** Keys, of which many are equal after redaction and some equal a redacted key. */
const key = fc.constantFrom(
  'a@b.co',
  'c@d.co',
  'e@f.co',
  '[REDACTED]',
  '[REDACTED] 2',
  'x',
  'x a@b.co',
  'x c@d.co',
  '\ud800',
  '\udc00',
)
const redact: RedactOptions = { patterns: ['email'] }

type Layer = Readonly<Record<string, string>>

/** Layers in ascending precedence. Each value is a unique text. */
const layers = (names: readonly string[]): fc.Arbitrary<readonly Layer[]> =>
  fc
    .tuple(...names.map(() => fc.uniqueArray(key, { maxLength: 4 })))
    .map((all) =>
      all.map((keys, layer) => Object.fromEntries(keys.map((each, index) => [each, `v${layer}x${index}z`]))),
    )

function expectedOf(all: readonly Layer[]): string[] {
  return Object.values(Object.assign({}, ...all) as Layer).toSorted()
}

function valuesIn(text: string): string[] {
  return (text.match(/v\d+x\d+z/g) ?? []).toSorted()
}

/** Returns a line after parsing, in which a duplicate key loses a value. */
function parsed(text: string): string {
  return text.startsWith('{')
    ? JSON.stringify(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      )
    : text
}

/** Returns the OTLP keys that occur twice in a list of members. */
function repeatedKeys(text: string): string[] {
  const lists = [...text.matchAll(/"attributes":\[(.*?)\](?=[,}])/g)].map(([, list]) => list!)
  return lists.flatMap((list) => {
    const keys = [...list.matchAll(/"key":"(.*?)"/g)].map(([, each]) => each!)
    return keys.filter((each, index) => keys.indexOf(each) !== index)
  })
}

function kept(): { text: string; write(chunk: unknown): void } {
  const out = { text: '', write: (chunk: unknown) => void (out.text += String(chunk)) }
  return out
}

const runs = { numRuns: 60 }
const ofLogger = ['enrich', 'attributes', 'child', 'child with rules', 'context', 'inner context', 'call']

/** Logs one record with each layer as one of its sources. */
function logLayers(
  options: LoggerOptions,
  keeper: ReturnType<typeof capturingExporter>,
  all: readonly Layer[],
  message = 'm',
): void {
  const [enriched, attributes, first, second, outer, inner, call] = all as readonly [
    Layer,
    Layer,
    Layer,
    Layer,
    Layer,
    Layer,
    Layer,
  ]
  const { log } = createTestLogger({ ...options, attributes, enrich: () => enriched }, keeper)
  const child = log.child(first).child(second, { redact: { patterns: [{ name: 'none', pattern: /none/ }] } })
  withContext(outer, () => withContext(inner, () => child.info(message, call as object)))
}

describe('attributes of a logger whose keys are equal after redaction', () => {
  test.each(formats)('attributes whose keys redaction makes equal are all written as %s', (_, encoding) => {
    fc.assert(
      fc.property(layers(ofLogger), (all) => {
        const keeper = capturingExporter(encoding)
        logLayers({ redact }, keeper, all)
        const text = keeper.bytes().toString('latin1')
        expect(valuesIn(parsed(text))).toEqual(expectedOf(all))
        expect(text).not.toMatch(/[ace]@/)
        expect(repeatedKeys(text)).toEqual([])
      }),
      runs,
    )
  })

  test('attributes whose keys are equal after redaction by a child are all written', () => {
    fc.assert(
      fc.property(layers(['attributes', 'child', 'grandchild', 'context', 'call']), (all) => {
        const [attributes, first, second, context, call] = all as readonly [Layer, Layer, Layer, Layer, Layer]
        const { log, exporter } = createTestLogger({ attributes })
        const child = log.child(first, { redact }).child(second)
        withContext(context, () => child.info('m', call as object))
        expect(valuesIn(parsed(exporter.text()))).toEqual(expectedOf(all))
        expect(exporter.text()).not.toMatch(/[ace]@/)
      }),
      runs,
    )
  })

  test('attributes whose keys are equal after redaction are all written through a LoggerProvider or a handler', () => {
    fc.assert(
      fc.property(layers(['attributes', 'child', 'call']), (all) => {
        const [attributes, child, call] = all as readonly [Layer, Layer, Layer]
        const exporter = capturingExporter()
        const provider = createLoggerProvider({ exporter, handleExit: false })
        const { log } = createTestLogger({ redact, attributes, provider, exporter: undefined })
        log.child(child).info('m', call as object)
        const handled = createTestLogger({
          redact,
          attributes,
          handler: (next) => ({ handle: (record) => next.handle(record) }),
        })
        handled.log.child(child).info('m', call as object)
        for (const text of [exporter.text(), handled.exporter.text()])
          expect(valuesIn(parsed(text))).toEqual(expectedOf(all))
      }),
      runs,
    )
  })

  test('attributes and exception members whose keys are equal after redaction are all written', () => {
    fc.assert(
      fc.property(layers(['child', 'call']), layers(['members']), ([child, call], [members]) => {
        const { log, exporter } = createTestLogger({ redact })
        log.child(child!).error('m', Object.assign(new Error('x'), members), call)
        const expected = [...expectedOf([child!, call!]), ...Object.values(members!)].toSorted()
        expect(valuesIn(parsed(exporter.text()))).toEqual(expected)
      }),
      runs,
    )
  })

  test('a message inserts a bound attribute by its original key', () => {
    const { log, exporter } = createTestLogger({ redact, attributes: { 'a@b.co': 'first' } })
    log.child({ 'c@d.co': 'second' }).info('{a@b.co} and {c@d.co}' as string, { 'e@f.co': 'third' })
    expect(JSON.parse(exporter.text())).toMatchObject({
      message: 'first and second',
      attributes: { '[REDACTED]': 'third', '[REDACTED] 2': 'first', '[REDACTED] 3': 'second' },
    })
  })

  test('an attribute of a flat layout whose redacted key is a field of the line is moved to the attributes object', () => {
    const patterns = [{ name: 'prefix', pattern: /secret-/, censor: '' }]
    for (const [attributes, moved] of [
      [{}, { msg: 2 }],
      [{ 'secret-level': 1 }, { level: 1, msg: 2 }],
    ]) {
      const { log, exporter } = createTestLogger(
        { redact: { patterns }, attributes: attributes! },
        capturingExporter(jsonLines('pino')),
      )
      log.info('m', { 'secret-msg': 2 })
      expect(JSON.parse(exporter.text())).toMatchObject({ level: 30, msg: 'm', attributes: moved })
    }
  })
})

describe('members in compatible APIs whose keys are equal after redaction', () => {
  test('sluice/pino writes all members whose keys are equal after redaction', () => {
    fc.assert(
      fc.property(layers(['base', 'child', 'grandchild', 'call']), fc.boolean(), (all, withMessage) => {
        const [base, first, second, call] = all as readonly [Layer, Layer, Layer, Layer]
        const out = kept()
        const log = pino({ base, redact }, out as never)
          .child(first)
          .child(second)
        if (withMessage) log.info(call, 'm')
        else log.info(call)
        expect(valuesIn(parsed(out.text))).toEqual(expectedOf(all))
        expect(valuesIn(JSON.stringify(log.bindings()))).toEqual(expectedOf([base, first, second]))
        expect(out.text).not.toMatch(/[ace]@/)
      }),
      runs,
    )
  })

  test('sluice/pino writes members whose redacted key is a field of the line', () => {
    const out = kept()
    const patterns = [{ name: 'prefix', pattern: /secret-/, censor: '' }]
    pino({ base: { 'secret-time': 1 }, redact: { patterns } }, out as never).info(
      { 'secret-msg': 2, 'secret-level': 3 },
      'm',
    )
    expect(JSON.parse(out.text)).toMatchObject({ level: 30, msg: 'm' })
    for (const value of [1, 2, 3]) expect(out.text).toMatch(new RegExp(`":${value}\\b`))
  })

  test('sluice/bunyan writes all members whose keys are equal after redaction', () => {
    fc.assert(
      fc.property(layers(['fields', 'child', 'call']), (all) => {
        const [fields, child, call] = all as readonly [Layer, Layer, Layer]
        const out = kept()
        const records: unknown[] = []
        const raw = { write: (record: unknown) => void records.push(record) }
        const streams = [{ stream: out }, { type: 'raw' as const, stream: raw }]
        bunyan({ name: 'x', ...fields, redact, streams })
          .child(child, true)
          .info(call, 'm')
        expect(valuesIn(parsed(out.text))).toEqual(expectedOf(all))
        expect(valuesIn(JSON.stringify(records))).toEqual(expectedOf(all))
        expect(out.text).not.toMatch(/[ace]@/)
      }),
      runs,
    )
  })

  test('sluice/bole writes all members whose keys are equal after redaction', () => {
    fc.assert(
      fc.property(layers(['call']), (all) => {
        const out = kept()
        bole.reset().output({ level: 'debug', redact, stream: out })
        bole('x').info({ ...all[0], level: 'v9x9z' }, 'm')
        bole.reset()
        expect(valuesIn(parsed(out.text))).toEqual([...expectedOf(all), 'v9x9z'])
      }),
      runs,
    )
  })

  test('sluice/winston and sluiceTransport write all members whose keys are equal after redaction when formats merge them', () => {
    fc.assert(
      fc.property(layers(['child', 'first', 'second', 'third']), fc.boolean(), (all, hasPlaceholder) => {
        const [child, ...metas] = all as readonly [Layer, ...Layer[]]
        const keeper = infoKeeper()
        const exporter = capturingExporter()
        const shape = format.combine(format.splat(), format.json())
        const transports = [keeper.transport, sluiceTransport({ exporter, handleExit: false })].flat()
        const log = winston({ format: shape, transports, redact }).child(child)
        if (hasPlaceholder) log.info('m %s', 'text', ...metas)
        else log.info('m', ...metas)
        expect(valuesIn(keeper.lines().map(parsed).join('\n'))).toEqual(expectedOf(all))
        expect(new Set(valuesIn(parsed(exporter.text())))).toEqual(new Set(expectedOf(all)))
      }),
      runs,
    )
  })
})
