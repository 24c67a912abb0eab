import { afterEach, describe, expect, test } from '@jest/globals'
import bole from '../../../src/entries/bole.ts'
import { revoked, thrower } from '../../support/values/hostile.ts'
import { hostileFields } from '../hostile-fields.ts'
import { isPlainLine } from '../pino/support.ts'
import { output } from './support.ts'

afterEach(() => void bole.reset())
const quiet = { onDiagnostic: () => {} }

describe('a log call keeps its line, and throws nothing, whatever it is given', () => {
  test.each(hostileFields)('%s', (_, make, kept) => {
    const stream = output(quiet)
    bole('test').info(make(), 'm')
    expect(isPlainLine(stream.text)).toBe(true)
    const { name, ...fields } = kept as { name?: string }
    expect(stream.last).toMatchObject({ ...fields, message: 'm', level: 'info', name: 'test' })
    expect(name === undefined || stream.text.includes('"attributes":{"name":"self"}')).toBe(true)
  })

  test.each(hostileFields)('%s, redacted', (_, make) => {
    const stream = output({ ...quiet, redact: { paths: ['**.secret'], keys: ['pin'] } })
    bole('test').info(make(), 'm')
    expect(isPlainLine(stream.text)).toBe(true)
    expect(stream.last).toMatchObject({ message: 'm' })
  })

  test('a proxy that is no more, as the only message, redacted', () => {
    const stream = output({ ...quiet, redact: ['pin'] })
    bole('test').info({ a: 1 }, revoked())
    expect(stream.last).toMatchObject({ a: 1, message: expect.stringContaining('Threw') })
  })

  test.each(hostileFields)('%s, as an argument of a message', (_, make) => {
    const stream = output(quiet)
    bole('test').warn('%s %j %o', make(), make(), make())
    expect(isPlainLine(stream.text)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['nothing that is', undefined],
    ['a symbol', Symbol('s')],
    ['a function', thrower],
    ['a BigInt', 1n],
    ['a revoked array', revoked([])],
  ])('%s by itself, and beside a field', (_, value) => {
    const stream = output(quiet)
    bole('test').info(value)
    bole('test').info({ a: 1 }, value)
    for (const line of stream.text.split('\n').slice(0, -1)) expect(isPlainLine(line)).toBe(true)
    expect(stream.chunks).toHaveLength(2)
  })
})

test('what a line says of itself cannot be said a second time', () => {
  const stream = output()
  bole('test').info({ level: 'evil', name: 'n', message: 'x', attributes: 1 }, 'm')
  expect(isPlainLine(stream.text)).toBe(true)
  expect(stream.last).toMatchObject({
    level: 'info',
    name: 'test',
    message: 'm',
    attributes: 1,
    _attributes: { level: 'evil', name: 'n', message: 'x' },
  })
})

test('a stream that throws is told, and does not keep a line from the others', () => {
  const problems: string[] = []
  bole.reset().output({ level: 'info', stream: { write: thrower }, onDiagnostic: ({ code }) => problems.push(code) })
  const kept: unknown[] = []
  bole.output({ level: 'info', stream: { write: (chunk: unknown) => kept.push(chunk) } })
  bole('test').info('m')
  expect(problems).toEqual(['SLUICE_BOLE_HOOK_THREW'])
  expect(kept).toHaveLength(1)
})
