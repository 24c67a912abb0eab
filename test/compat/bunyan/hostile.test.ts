import { describe, expect, test } from '@jest/globals'
import type { LoggerOptions } from '../../../src/entries/bunyan.ts'
import { revoked, thrower } from '../../support/values/hostile.ts'
import { hostileFields } from '../hostile-fields.ts'
import { isPlainLine } from '../pino/support.ts'
import { logged } from './support.ts'

const quiet = { onDiagnostic: () => {} }

describe('hostile values in bunyan log calls', () => {
  test.each(hostileFields)('a log call writes one valid line for %s', (_, make, kept) => {
    const { log, kept: stream } = logged(quiet)
    log.info(make(), 'm')
    expect(stream.lines).toHaveLength(1)
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
    expect(stream.last).toMatchObject({ ...kept, msg: 'm', level: 30, v: 0 })
  })

  test.each(hostileFields)('a log call with redaction writes one valid line for %s', (_, make) => {
    const { log, kept } = logged({ ...quiet, redact: { paths: ['**.secret'], keys: ['pin'] } })
    log.info(make(), 'm')
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
    expect(kept.last).toMatchObject({ msg: 'm', level: 30 })
  })

  test.each(hostileFields)('a log call with patterns writes one valid line for %s', (_, make) => {
    const { log, kept } = logged({ ...quiet, redact: { patterns: ['jwt'] } })
    log.info(make(), 'm')
    log.child({ bound: make() }).info('%s %j', make(), make())
    expect(kept.lines).toHaveLength(2)
    for (const line of kept.lines) expect(isPlainLine(line)).toBe(true)
  })

  test.each(hostileFields)('a child logger writes valid lines when its bound fields contain %s', (_, make, given) => {
    const { log, kept } = logged(quiet)
    log.child(make() as Record<string, unknown>, true).info('m')
    log.child({ bound: make() }).info('m')
    // bunyan does not allow a child to set `name`.
    log.child('name' in given ? {} : (make() as Record<string, unknown>)).info('m')
    expect(kept.lines).toHaveLength(3)
    for (const line of kept.lines) expect(isPlainLine(line)).toBe(true)
    expect(kept.last).toMatchObject({ msg: 'm' })
  })

  test.each(hostileFields)('a format string writes one valid line when its argument is %s', (_, make) => {
    const { log, kept } = logged(quiet)
    log.info('%s %j %o', make(), make(), make())
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('s')],
    ['a BigInt', 1n],
    ['a revoked array', revoked([])],
    ['bytes', Buffer.from('x')],
  ])('a log call writes one valid line when its only argument is %s', (_, value) => {
    const { log, kept } = logged(quiet)
    log.info(value)
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })
})

describe('a `level` field that would make bunyan lose data', () => {
  test('an invalid `level` field is written under `attributes`', () => {
    const { log, kept } = logged()
    log.info({ level: 'evil' }, 'm')
    expect(kept.last).toMatchObject({ level: 30, attributes: { level: 'evil' }, msg: 'm' })
  })

  test('a `level` field below the level of the stream does not drop the line', () => {
    const { log, kept } = logged()
    log.info({ level: 10 }, 'm')
    expect(kept.last).toMatchObject({ level: 10, msg: 'm' })
  })
})

const hooks: readonly (readonly [string, Partial<LoggerOptions>])[] = [
  ['a serializer', { serializers: { a: thrower } }],
  ['a serializer of errors', { serializers: { err: thrower } }],
  ['a censor', { redact: { paths: ['a'], censor: thrower } }],
  ['a stream', { stream: { write: thrower } }],
]

describe('user code that throws in a bunyan logger', () => {
  test.each(hooks)('%s that throws does not make the log call throw', (name, options) => {
    const diagnostics: string[] = []
    const { log, kept } = logged({ ...options, onDiagnostic: ({ code }) => diagnostics.push(code) })
    log.info({ a: 'secret' }, 'm')
    log.error(new Error('x'))
    expect(kept.lines).toHaveLength(name === 'a stream' ? 0 : 2)
    expect(kept.lines.every((line) => isPlainLine(line))).toBe(true)
    expect(kept.lines.join('').includes('secret')).toBe(name === 'a serializer of errors')
    // A censor that throws still redacts the value, so it is not reported.
    expect(diagnostics).toEqual(name === 'a censor' ? [] : ['SLUICE_BUNYAN_HOOK_THREW'])
  })
})
