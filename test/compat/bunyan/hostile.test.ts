import { describe, expect, test } from '@jest/globals'
import type { LoggerOptions } from '../../../src/entries/bunyan.ts'
import { revoked, thrower } from '../../support/values/hostile.ts'
import { hostileFields } from '../hostile-fields.ts'
import { isPlainLine } from '../pino/support.ts'
import { logged } from './support.ts'

const quiet = { onDiagnostic: () => {} }

describe('a log call keeps its line, and throws nothing, whatever it is given', () => {
  test.each(hostileFields)('%s', (_, make, kept) => {
    const { log, kept: stream } = logged(quiet)
    log.info(make(), 'm')
    expect(stream.lines).toHaveLength(1)
    expect(isPlainLine(stream.lines[0]!)).toBe(true)
    expect(stream.last).toMatchObject({ ...kept, msg: 'm', level: 30, v: 0 })
  })

  test.each(hostileFields)('%s, redacted', (_, make) => {
    const { log, kept } = logged({ ...quiet, redact: { paths: ['**.secret'], keys: ['pin'] } })
    log.info(make(), 'm')
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
    expect(kept.last).toMatchObject({ msg: 'm', level: 30 })
  })

  test.each(hostileFields)('%s, bound', (_, make, given) => {
    const { log, kept } = logged(quiet)
    log.child(make() as Record<string, unknown>, true).info('m')
    log.child({ bound: make() }).info('m')
    // A child has no name of its own.
    log.child('name' in given ? {} : (make() as Record<string, unknown>)).info('m')
    expect(kept.lines).toHaveLength(3)
    for (const line of kept.lines) expect(isPlainLine(line)).toBe(true)
    expect(kept.last).toMatchObject({ msg: 'm' })
  })

  test.each(hostileFields)('%s, as an argument of a message', (_, make) => {
    const { log, kept } = logged(quiet)
    log.info('%s %j %o', make(), make(), make())
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['nothing that is', undefined],
    ['null', null],
    ['a symbol', Symbol('s')],
    ['a BigInt', 1n],
    ['a revoked array', revoked([])],
    ['bytes', Buffer.from('x')],
  ])('%s by itself', (_, value) => {
    const { log, kept } = logged(quiet)
    log.info(value)
    expect(isPlainLine(kept.lines[0]!)).toBe(true)
  })
})

describe('what bunyan loses', () => {
  test('a level that is none stands elsewhere', () => {
    const { log, kept } = logged()
    log.info({ level: 'evil' }, 'm')
    expect(kept.last).toMatchObject({ level: 30, attributes: { level: 'evil' }, msg: 'm' })
  })

  test('a level below that of the stream does not lose the line', () => {
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

describe('code of users that throws costs what it would have said, and is told', () => {
  test.each(hooks)('%s', (name, options) => {
    const problems: string[] = []
    const { log, kept } = logged({ ...options, onDiagnostic: ({ code }) => problems.push(code) })
    log.info({ a: 'secret' }, 'm')
    log.error(new Error('x'))
    expect(kept.lines).toHaveLength(name === 'a stream' ? 0 : 2)
    expect(kept.lines.every((line) => isPlainLine(line))).toBe(true)
    expect(kept.lines.join('').includes('secret')).toBe(name === 'a serializer of errors')
    // What throws in place of a value covers it.
    expect(problems).toEqual(name === 'a censor' ? [] : ['SLUICE_BUNYAN_HOOK_THREW'])
  })
})
