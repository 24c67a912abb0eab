import { afterEach, describe, expect, test } from '@jest/globals'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import bole from '../../../src/entries/bole.ts'
import { fileExporter, memoryExporter } from '../../../src/entries/exporters.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { Chunks, objectStream, output } from './support.ts'

afterEach(() => void bole.reset())

test('an output receives records at or above its level from loggers created before or after it', () => {
  const early = bole('early')
  const [all, some] = [new Chunks(), new Chunks()]
  bole.output([
    { level: 'debug', stream: all },
    { level: 'warn', stream: some },
  ])
  for (const level of ['debug', 'info', 'warn', 'error'] as const) early(level)[level]('m')
  expect(all.chunks).toHaveLength(4)
  expect(some.chunks).toHaveLength(2)
  expect(all.chunks[0]).toBeInstanceOf(Buffer)
  expect(some.last).toMatchObject({ name: 'early:error', level: 'error' })
})

test('`reset` removes all outputs and restores ISO timestamps', () => {
  const before = output()
  bole.setFastTime()
  bole('a').info('x')
  expect(before.last['time']).toEqual(expect.any(Number))
  bole.reset()
  bole('a').info('y')
  expect(before.chunks).toHaveLength(1)
  const after = output()
  bole.setFastTime(false)('a').info('z')
  expect(after.last['time']).toMatch(/^\d{4}-.*Z$/)
})

test('a stream in object mode receives record objects', () => {
  const { stream, objects: records } = objectStream()
  bole.output({ level: 'info', stream })
  bole('a').info({ n: 1n, level: 'evil', nothing: undefined }, 'm')
  expect(records).toMatchObject([{ n: 1n, level: 'info', name: 'a', message: 'm' }])
  expect(records[0]).not.toHaveProperty('nothing')
})

test('an output with an exporter also exports each record as an OpenTelemetry log record', async () => {
  const exporter = memoryExporter()
  const kept = output({ exporter, redact: ['pin'] })
  bole('shop')('cart').warn({ pin: 'secret', n: 1 }, '%s is full', 'it')
  bole('shop').error(new TypeError('broken'), 'm')
  await bole.flush()
  expect(kept.chunks).toHaveLength(2)
  expect(exporter.records).toMatchObject([
    { level: 'warn', message: 'it is full', attributes: { pin: '[REDACTED]', n: 1, 'logger.name': 'shop:cart' } },
    { level: 'error', message: 'm', attributes: { 'exception.type': 'TypeError' } },
  ])
})

test('`reset` flushes queued records, closes the exporters and removes the exit listener', async () => {
  const directory = temporaryDirectory()
  const path = directory.path('bole.log')
  const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(fd) === path)
  const listeners = process.listenerCount('exit')
  bole.output({ level: 'info', exporter: fileExporter({ path }) })
  for (let seq = 0; seq < 1_000; seq++) bole('shop').info({ seq }, 'm')
  expect([isOpen(), process.listenerCount('exit')]).toEqual([true, listeners + 1])
  await bole.reset().flush()
  expect([isOpen(), process.listenerCount('exit')]).toEqual([false, listeners])
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { attributes: { seq: number } }).attributes.seq)).toEqual([
    ...Array(1_000).keys(),
  ])
  directory.remove()
})

/** Returns `undefined` for the descriptor that `readdirSync` used and has since closed. */
function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

describe('invalid options of `bole.output`', () => {
  test.each<[string, unknown, string[]]>([
    ['missing options', undefined, ['level']],
    ['an unknown level', { level: 'trace' }, ['level']],
    ['an invalid stream', [{ level: 'info', stream: {} }, { level: 'info' }], ['[0].stream']],
    ['an unknown option', { level: 'info', name: 'x' }, ['name']],
    ['an invalid redaction path', { level: 'info', redact: ['a b['] }, ['redact[0]']],
  ])('`bole.output` throws for %s and lists the invalid options', (_, options, paths) => {
    expect(() => bole.output(options as never)).toThrow(
      expect.objectContaining({ problems: paths.map((path) => expect.objectContaining({ path })) }),
    )
  })
})
