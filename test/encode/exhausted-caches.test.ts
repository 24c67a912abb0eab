import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import type { Encoding } from '../../src/encode/encoding.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'
import { otlpJsonLines } from '../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import type { Logger } from '../../src/logger/types.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { capturingExporter } from '../support/files/test-logger.ts'

const encodings: readonly (readonly [string, () => Encoding])[] = [
  ['JSON lines', () => jsonLines()],
  ['JSON lines with attributes at the top level', () => jsonLines({ attributes: 'flat' })],
  ['OTLP JSON lines', () => otlpJsonLines()],
  ['OTLP JSON', () => otlpEncoding('http/json')],
  ['OTLP protobuf', () => otlpEncoding('http/protobuf')],
]

const span = (id: string) => ({ traceId: id.repeat(32), spanId: id.repeat(16), traceFlags: 1 })
const contextOf = (id: string) => ({
  getValue: () => ({ spanContext: () => span(id) }),
  setValue: () => contextOf(id),
  deleteValue: () => contextOf(id),
})

/** Logs records that use each cache of the encoders: levels, spans, scopes, bound names, contexts, attributes, messages. */
function logVaried(log: Logger, step: number): void {
  const value = step % 2 === 0 ? 1.5 : 'text'
  const spans = ['a', 'b'].map((id) => log.child({}, { context: contextOf(id) }))
  const named = ['db', 'http'].map((name) => log.child({ timestamp: 'reserved', part: name }, { name }))
  const calls: readonly (() => void)[] = [
    () => log.info('message {a}', { a: value }),
    () => log.error('message', { b: [value, { c: value }] }),
    () => spans[step % 2]!.warn('message'),
    () => named[step % 2]!.info('message', { d: value }),
    () => withContext({ token: 'secret', tenant: 'acme' }, () => log.info('in a context', { e: value })),
    () => withContext({ token: 'secret' }, () => named[step % 2]!.error(new TypeError('failed'))),
    () => log.child({ token: 'secret' }, { redact: ['tenant'] }).debug('%s', value),
  ]
  calls[step % calls.length]!()
}

/** Calls a function on a stack with less and less room, then with more and more, until it has thrown `failures` times. */
function callWithExhaustedStack(call: (step: number) => void, failures: number): number {
  let steps = 0
  const deeper = (): void => {
    try {
      deeper()
    } catch {
      if (steps++ >= failures) return
      call(steps)
      throw new RangeError('continue')
    }
  }
  deeper()
  return steps
}

function createTestLogger(encoding: Encoding) {
  const exporter = capturingExporter(encoding)
  const log = createLogger({
    name: 'app',
    level: 'trace',
    attributes: { bound: 1 },
    redact: { paths: ['token'] },
    clock: () => 1_700_000_000_000,
    exporter,
    handleExit: false,
    onDiagnostic: () => {},
  })
  return { exporter, log }
}

const callCount = 7

describe.each(encodings)('after calls on an exhausted stack, %s', (_, encoding) => {
  test.each([
    ['calls of all kinds', (step: number) => step, 3_000],
    ...Array.from(
      { length: callCount },
      (__, kind) => [`calls of kind ${kind}`, (step: number) => kind + callCount * step, 300] as const,
    ),
  ])('contain the same as those of a new logger, and no secret, with %s', (__, stepOf, failures) => {
    const exhausted = createTestLogger(encoding())
    const fresh = createTestLogger(encoding())
    callWithExhaustedStack((step) => {
      try {
        logVaried(exhausted.log, stepOf(step))
      } catch {
        // There was no room for the call itself, for example to create the child.
      }
    }, failures)
    exhausted.log.flushSync()
    expect(exhausted.exporter.bytes().toString('latin1')).not.toContain('secret')
    exhausted.exporter.clear()
    for (const { log } of [exhausted, fresh]) for (let step = 0; step < 28; step++) logVaried(log, step)
    const [actual, expected] = [exhausted, fresh].map(({ exporter }) =>
      // The stacks of the two calls differ.
      exporter
        .bytes()
        .toString('latin1')
        .replaceAll(/exhausted-caches[^"]*/g, ''),
    )
    // A report of the dropped records can come first.
    expect(actual!.endsWith(expected!) || actual).toBe(true)
  })
})
