import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { destination, multistream, pino } from '../../../src/entries/pino.ts'
import { Lines } from './support.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-destination-'))
  path = join(folder, 'log')
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (): string => readFileSync(path, 'utf8')

describe.each([true, false])('destinations of sluice/pino with sync: %s', (sync) => {
  test('lines are in the file after a flush, and a write to a closed destination throws', async () => {
    const to = destination({ dest: path, sync })
    await once(to, 'ready')
    to.write('one\n')
    to.flushSync()
    expect(read()).toBe('one\n')
    to.write('two\n')
    await promisify(to.flush.bind(to))()
    expect(read()).toBe('one\ntwo\n')
    to.end()
    await once(to, 'close')
    expect(() => to.write('three\n')).toThrow(/closed/)
  })

  test('a destination with `minLength` holds lines back until it is flushed or ended', async () => {
    const to = destination({ dest: path, sync, minLength: 10 })
    to.write('1234\n')
    await new Promise((resolve) => setImmediate(resolve))
    expect(read()).toBe('')
    to.write('5678\n')
    to.flushSync()
    expect(read()).toBe('1234\n5678\n')
    to.write('end\n')
    to.end()
    await once(to, 'finish')
    expect(read()).toBe('1234\n5678\nend\n')
  })

  test('`mkdir` creates missing directories, and `append: false` truncates the file', async () => {
    path = join(folder, 'a', 'b', 'log')
    const first = destination({ dest: path, sync, mkdir: true })
    first.write('old\n')
    first.end()
    await once(first, 'close')
    const second = destination({ dest: path, sync, append: false })
    second.write('new\n')
    second.end()
    await once(second, 'close')
    expect(read()).toBe('new\n')
  })

  test('`reopen` opens the path again after a rename, or opens another path', async () => {
    const to = destination({ dest: path, sync })
    to.write('one\n')
    to.flushSync()
    renameSync(path, `${path}.1`)
    to.reopen()
    to.write('two\n')
    to.flushSync()
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('one\n')
    expect(read()).toBe('two\n')
    to.reopen(`${path}.2`)
    to.write('three\n')
    to.end()
    await once(to, 'close')
    expect(readFileSync(`${path}.2`, 'utf8')).toBe('three\n')
  })
})

test('invalid options are rejected with a hint on what to use instead', () => {
  expect(() => destination({ dest: path, contentMode: 'latin1' as never })).toThrow(/"utf8" and "buffer"/)
  expect(() => destination({ dest: path, minLength: 20_000 })).toThrow(/smaller than maxWrite/)
  expect(() => destination({ dest: {} as never })).toThrow(/pass a stream to pino\(\) itself/)
  expect(() => pino({ prettyPrint: true } as never)).toThrow(/pino-pretty/)
  expect(() => pino({ level: 'loud' })).toThrow(/must be included/)
})

test('a synchronous destination that cannot be opened throws', () => {
  writeFileSync(path, '')
  expect(() => destination({ dest: join(path, 'x'), sync: true })).toThrow(/ENOTDIR/)
})

test('a line that would exceed `maxLength` is dropped with a `drop` event', () => {
  const to = destination({ dest: path, minLength: 100, maxLength: 10 })
  const dropped: unknown[] = []
  to.on('drop', (line) => dropped.push(line))
  to.write('12345\n')
  to.write('6789012345\n')
  to.flushSync()
  expect(dropped).toEqual(['6789012345\n'])
  expect(read()).toBe('12345\n')
})

test('a multistream writes a line to the other streams when one of them throws', () => {
  const kept = new Lines()
  const failing = {
    write(): never {
      throw new Error('no')
    },
  }
  const log = pino({ onDiagnostic: () => {} }, multistream([failing, kept]))
  log.info('x')
  expect(kept.last).toMatchObject({ msg: 'x' })
})

test('`multistream` rejects a stream with an unknown level', () => {
  const stream = new Lines()
  expect(() => multistream([{ stream, level: 'INFO' as 'info' }])).toThrow('unknown level INFO')
  expect(multistream([{ stream, level: 'audit' as 'info' }], { levels: { audit: 35 } }).minLevel).toBe(35)
})

test('the first error of a destination is emitted twice, as in pino, and later errors once', () => {
  const to = destination({ dest: path, sync: true })
  const messages: string[] = []
  to.on('error', ({ message }: Error) => messages.push(message))
  to.emit('error', new Error('one'))
  to.emit('error', new Error('two'))
  expect(messages).toEqual(['one', 'one', 'two'])
  to.end()
})
