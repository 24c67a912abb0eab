import { describe, expect, it } from '@jest/globals'
import type { OutputSettings } from '../../src/output/output-settings.ts'
import { appLog, bytesWritten, readRecord, written } from './written.ts'

const onTerminal: Partial<OutputSettings> = { isTerminal: true }
const isoDay = (text: string) => Date.parse(`${text}Z`)

/** Returns what is written for passed-through text. */
const textWritten = (bytes: string | Uint8Array, options: Partial<OutputSettings> = {}) =>
  bytesWritten('pretty', (output) => output.text(Buffer.from(bytes as string), appLog), options)

describe('pretty', () => {
  it('writes time, level, scope, message and attributes in the terminal format, with the date on a pipe', () => {
    const record = readRecord({
      message: 'order placed',
      scope: 'checkout',
      attributes: { orderId: 42, user: { id: 'u1' } },
      traceId: '0af7651916cd43dd8448eb211c80319c',
    })
    expect(written('pretty', [record])).toBe(
      '2026-11-21 09:56:03.123 INFO  [checkout] order placed  orderId=42 user={id: u1}\n    trace_id=0af76519\n',
    )
  })

  it('writes the date of records on a terminal only when the day changes', () => {
    const days = [
      '2026-11-21T23:59:59.999',
      '2026-11-22T00:00:00.000',
      '2026-11-22T10:00:00.000',
      '2026-11-21T10:00:00.000',
    ]
    const records = days.map((day) => readRecord({ time: isoDay(day) }))
    expect(written('pretty', records, onTerminal).split('\n')).toEqual([
      '── 2026-11-21 ──',
      '23:59:59.999 INFO  m',
      '── 2026-11-22 ──',
      '00:00:00.000 INFO  m',
      '10:00:00.000 INFO  m',
      '── 2026-11-21 ──',
      '10:00:00.000 INFO  m',
      '',
    ])
  })

  it('writes a message once if it ends the first line of the stack, also if the message of the exception differs', () => {
    const exception = { 'exception.message': 'a: b', 'exception.stacktrace': 'Error: a\n    at f (/app/a.ts:1:1)' }
    expect(written('pretty', [readRecord({ message: 'a', attributes: exception })])).toBe(
      '2026-11-21 09:56:03.123 INFO  Error: a\n      at f (a.ts:1:1)\n',
    )
  })

  it('writes the message of an error of another logger once', () => {
    const attributes = { error: 'm', 'exception.message': 'm', err: 'other' }
    const records = [readRecord({ format: 'pino', attributes })]
    expect(written('pretty', records)).toBe('2026-11-21 09:56:03.123 INFO  m  err=other\n')
    expect(written('pretty', records, { showKeys: ['error'] })).toBe('2026-11-21 09:56:03.123 INFO  m  error=m\n')
  })

  it('writes no date before the first record of today on a terminal', () => {
    expect(written('pretty', [readRecord({ time: Date.now() })], onTerminal)).not.toContain('──')
  })

  it('uses the day of the time zone in which times are shown', () => {
    const record = readRecord({ time: isoDay('2026-11-21T20:00:00') })
    expect(written('pretty', [record], { time: 'Asia/Kolkata', isTerminal: true })).toBe(
      '── 2026-11-22 ──\n01:30:00.000 INFO  m\n',
    )
    expect(written('pretty', [record], { time: 'Asia/Kolkata' })).toBe('2026-11-22 01:30:00.000 INFO  m\n')
  })

  it('changes the offset of a time zone with daylight saving time', () => {
    const records = ['2026-10-25T00:59:59', '2026-10-25T01:00:00'].map((time) => readRecord({ time: isoDay(time) }))
    expect(written('pretty', records, { time: 'Europe/Berlin' })).toBe(
      '2026-10-25 02:59:59.000 INFO  m\n2026-10-25 02:00:00.000 INFO  m\n',
    )
  })

  it('writes relative times from the first record that has a time', () => {
    const records = [undefined, 1_000, 2_500].map((time) => readRecord({ time }))
    expect(written('pretty', records, { time: 'relative' })).toBe(
      '   -.---s INFO  m\n  +0.000s INFO  m\n  +1.500s INFO  m\n',
    )
  })

  it('writes placeholders for a time and a level that a record does not have', () => {
    const record = readRecord({ time: undefined, level: '', severityNumber: 0, format: 'access' })
    expect(written('pretty', [record])).toBe('---------- --:--:--.---       m\n')
  })

  it('writes a level of which only the number is known by its range', () => {
    expect(written('pretty', [readRecord({ level: '', severityNumber: 17 })])).toContain('ERROR m')
  })

  it('writes the stack of an exception with paths relative to the working directory', () => {
    const stacktrace = 'TypeError: no route\n    at place (file:///app/src/order.ts:3:7)'
    const attributes = {
      'exception.type': 'TypeError',
      'exception.message': 'no route',
      'exception.stacktrace': stacktrace,
    }
    expect(written('pretty', [readRecord({ level: 'error', severityNumber: 17, message: 'failed', attributes })])).toBe(
      '2026-11-21 09:56:03.123 ERROR failed\n    TypeError: no route\n      at place (src/order.ts:3:7)\n',
    )
  })

  it('writes no line before a stack that begins with a frame', () => {
    const attributes = { 'exception.stacktrace': '    at place (file:///app/src/order.ts:3:7)' }
    expect(written('pretty', [readRecord({ attributes })])).toBe(
      '2026-11-21 09:56:03.123 INFO  m\n      at place (src/order.ts:3:7)\n',
    )
  })

  it('writes a body that is not text as JSON', () => {
    const record = readRecord({ message: undefined, body: new Map([['a', [1n, 'x']]]) })
    expect(written('pretty', [record])).toContain(' {"a":["1","x"]}\n')
  })

  it('shows the file of each line if there are several inputs, aligned and without folders', () => {
    const files = ['/var/log/api.log', '/var/log/worker.log']
    const records = files.map((file) => readRecord({ origin: { ...appLog, file } }))
    expect(written('pretty', records, { files })).toBe(
      'api.log    | 2026-11-21 09:56:03.123 INFO  m\nworker.log | 2026-11-21 09:56:03.123 INFO  m\n',
    )
  })

  it('shows the folders of files that have the same name', () => {
    const files = ['/a/app.log', '/b/app.log']
    expect(written('pretty', [readRecord({ origin: { ...appLog, file: '/b/app.log' } })], { files })).toMatch(
      /^\/b\/app\.log \| /,
    )
  })

  it('colors the container of each record, with another color for each container', () => {
    const records = ['api-1', 'db-1', 'api-1'].map((container) => readRecord({ origin: { ...appLog, container } }))
    const lines = written('pretty', records, { usesColors: true }).split('\n')
    // oxlint-disable-next-line no-control-regex
    const colors = lines.map((line) => /^\u001b\[([\d;]+)m(\S+) *\|\u001b\[0m /.exec(line)?.slice(1))
    expect(colors.slice(0, 3)).toEqual([
      ['36', 'api-1'],
      ['33', 'db-1'],
      ['36', 'api-1'],
    ])
  })

  it('shows the service of records once several services have occurred', () => {
    const records = ['shop', 'shop', 'mail'].map((name) => readRecord({ resource: { 'service.name': name } }))
    expect(
      written('pretty', records)
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['2026-11-21', '2026-11-21', 'mail', ''])
  })

  it('shows the service from the first record on if there are several files, and widens the column in steps', () => {
    const records = ['shop', 'mails', 'shop'].map((name) => readRecord({ resource: { 'service.name': name } }))
    const lines = written('pretty', records, { files: ['app.log', 'b.log'] }).split('\n')
    expect(lines.map((line) => line.slice(0, 19))).toEqual([
      'app.log shop     | ',
      'app.log mails    | ',
      'app.log shop     | ',
      '',
    ])
  })

  it('shows only listed attributes, with prefixes, members and attributes of the resource', () => {
    const record = readRecord({
      attributes: { 'http.method': 'GET', user: { id: 'u1', name: 'Ann' }, other: 1 },
      resource: { 'host.name': 'h1', 'service.name': 'shop' },
      traceId: '0af7651916cd43dd8448eb211c80319c',
    })
    const text = written('pretty', [record], { showKeys: ['http.*', 'user.id', 'host.name'] })
    expect(text).toContain('m  http.method=GET user={id: u1} host.name=h1\n')
  })

  it('hides attributes, members and the trace ID', () => {
    const record = readRecord({
      attributes: { 'http.method': 'GET', user: { id: 'u1', name: 'Ann' }, other: 1 },
      traceId: '0af7651916cd43dd8448eb211c80319c',
    })
    const text = written('pretty', [record], { hideKeys: ['http.*', 'user.name', 'trace_id'] })
    expect(text).toContain('m  user={id: u1} other=1\n')
  })
})

describe('line', () => {
  it('escapes a message of more than a megabyte like any other', () => {
    const message = '\u001b[2J\n'.repeat(300_000)
    const text = written('line', [readRecord({ message, attributes: { a: 1 }, raw: message })])
    expect(text).toBe(`2026-11-21 09:56:03.123 INFO  ${'\\u001b[2J\\n'.repeat(300_000)}  a=1\n`)
  })

  it('writes a record on one line, with the first line of the stack', () => {
    const stacktrace = 'TypeError: no route\n    at place (/app/src/order.ts:3:7)'
    const record = readRecord({
      message: 'failed\nat once',
      attributes: {
        text: `a long text${' of words'.repeat(20)}`,
        'exception.type': 'TypeError',
        'exception.message': 'no route',
        'exception.stacktrace': stacktrace,
      },
    })
    const text = written('line', [record])
    expect(text).toContain('failed\\nat once  text="a long text')
    expect(text).toContain(' exception.stacktrace="TypeError: no route"\n')
    expect(text).not.toContain('exception.type')
    expect(text.split('\n')).toHaveLength(2)
  })
})

describe('passed-through text', () => {
  it('keeps every byte of text without control characters on a pipe', () => {
    const bytes = Buffer.concat([Buffer.from('tab\there é \r\n'), Buffer.from([0xff, 0x9b, 0x0a])])
    expect(textWritten(bytes)).toEqual(bytes)
  })

  it('escapes control characters on a pipe, because a terminal can show them later', () => {
    expect(textWritten('a\u001b[2Jb\u0007\u009bc\u202ed\re\n').toString()).toBe(
      'a\\u001b[2Jb\\u0007\\u009bc\\u202ed\\u000de\n',
    )
  })

  it('removes colors, expands tabs and escapes control characters on a terminal', () => {
    expect(textWritten('\u001b[31mred\u001b[0m\tx\u001b]0;t\u0007\r\n', onTerminal).toString()).toBe(
      'red     x\\u001b]0;t\\u0007\n',
    )
  })

  it('adds the line end that the last line of an input lacks before the next line', () => {
    const text = bytesWritten('pretty', (output) => {
      output.text(Buffer.from('no line end'), appLog)
      output.record(readRecord())
      output.text(Buffer.from('last'), appLog)
    })
    expect(text.toString()).toBe('no line end\n2026-11-21 09:56:03.123 INFO  m\nlast')
  })

  it('shows the file before each line if there are several inputs', () => {
    const files = ['app.log', 'b.log']
    expect(textWritten('one\ntwo\n', { files }).toString()).toBe('app.log | one\napp.log | two\n')
  })

  it('writes a record of the format text without columns', () => {
    const record = readRecord({ format: 'text', time: undefined, level: '', severityNumber: 0, raw: 'plain\n' })
    expect(written('pretty', [record])).toBe('plain\n')
  })
})
