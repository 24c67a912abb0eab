import { afterEach, describe, expect, test } from '@jest/globals'
import bole from '../../../src/entries/bole.ts'
import { revoked, thrower, traps } from '../../support/values/hostile.ts'
import { hostileFields } from '../hostile-fields.ts'
import { isPlainLine } from '../pino/support.ts'
import { output } from './support.ts'

afterEach(() => void bole.reset())
const quiet = { onDiagnostic: () => {} }

describe('hostile values in bole log calls', () => {
  test.each(hostileFields)('a log call writes one valid line for %s', (_, make, kept) => {
    const stream = output(quiet)
    bole('test').info(make(), 'm')
    expect(isPlainLine(stream.text)).toBe(true)
    const { name, ...fields } = kept as { name?: string }
    expect(stream.last).toMatchObject({ ...fields, message: 'm', level: 'info', name: 'test' })
    expect(name === undefined || stream.text.includes('"attributes":{"name":"self"}')).toBe(true)
  })

  test.each(hostileFields)('a log call with redaction writes one valid line for %s', (_, make) => {
    const stream = output({ ...quiet, redact: { paths: ['**.secret'], keys: ['pin'] } })
    bole('test').info(make(), 'm')
    expect(isPlainLine(stream.text)).toBe(true)
    expect(stream.last).toMatchObject({ message: 'm' })
  })

  test.each<readonly [string, () => object, ...unknown[]]>([
    ...hostileFields,
    ['an array whose length throws', () => new Proxy([], traps)],
  ])('a log call with patterns writes one valid line for %s', (_, make) => {
    const stream = output({ ...quiet, redact: { patterns: ['jwt'] } })
    bole('test').info(make(), 'm')
    expect(isPlainLine(stream.text)).toBe(true)
    expect(stream.last).toMatchObject({ message: 'm' })
  })

  test('a revoked proxy as the message is replaced by a marker when redaction is on', () => {
    const stream = output({ ...quiet, redact: ['pin'] })
    bole('test').info({ a: 1 }, revoked())
    expect(stream.last).toMatchObject({ a: 1, message: expect.stringContaining('Threw') })
  })

  test.each(hostileFields)('a format string writes one valid line when its argument is %s', (_, make) => {
    const stream = output(quiet)
    bole('test').warn('%s %j %o', make(), make(), make())
    expect(isPlainLine(stream.text)).toBe(true)
  })

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
    ['a function', thrower],
    ['a BigInt', 1n],
    ['a revoked array', revoked([])],
  ])('a log call writes one valid line for %s, alone or after an object with fields', (_, value) => {
    const stream = output(quiet)
    bole('test').info(value)
    bole('test').info({ a: 1 }, value)
    for (const line of stream.text.split('\n').slice(0, -1)) expect(isPlainLine(line)).toBe(true)
    expect(stream.chunks).toHaveLength(2)
  })
})

test('fields with reserved names are written under `_attributes` when `attributes` is taken', () => {
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

test('an output stream that throws is reported, and the other outputs still receive the line', () => {
  const diagnostics: string[] = []
  bole.reset().output({ level: 'info', stream: { write: thrower }, onDiagnostic: ({ code }) => diagnostics.push(code) })
  const kept: unknown[] = []
  bole.output({ level: 'info', stream: { write: (chunk: unknown) => kept.push(chunk) } })
  bole('test').info('m')
  expect(diagnostics).toEqual(['SLUICE_BOLE_HOOK_THREW'])
  expect(kept).toHaveLength(1)
})
