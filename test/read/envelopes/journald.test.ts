import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { seed } from '../../support/seed.ts'
import { readBytes, recordIn, textOf } from '../lines/read-bytes.ts'

/** Returns a field whose value is not printable text, as the Journal Export Format has it. */
function binaryField(name: string, value: string): Buffer {
  const data = Buffer.from(value)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(data.length))
  return Buffer.concat([Buffer.from(`${name}\n`), length, data, Buffer.from('\n')])
}

function entry(...fields: readonly (string | Buffer)[]): Buffer {
  const lines = fields.map((field) => (typeof field === 'string' ? Buffer.from(`${field}\n`) : field))
  return Buffer.concat([
    Buffer.from('__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1795254963123456\n'),
    ...lines,
    Buffer.from('\n'),
  ])
}

describe('RecordReader', () => {
  it('reads the fields of an entry of journalctl -o export', () => {
    const record = recordIn(
      entry(
        'PRIORITY=3',
        '_SYSTEMD_UNIT=web.service',
        'SYSLOG_IDENTIFIER=node',
        '_HOSTNAME=host',
        '_PID=12',
        'CODE_FILE=main.c',
        'CODE_LINE=7',
        'ORDER=a=b',
        'TAG=1',
        'TAG=2',
        binaryField('MESSAGE', 'two\nlines\n\nof it'),
      ),
    )
    expect(record).toMatchObject({
      format: 'journald',
      level: 'error',
      timeUnixNano: 1795254963123456000n,
      message: 'two\nlines\n\nof it',
      origin: { container: 'web.service' },
    })
    expect(Object.fromEntries(record.attributes)).toEqual({
      'code.file.path': 'main.c',
      'code.line.number': 7,
      ORDER: 'a=b',
      TAG: ['1', '2'],
    })
    expect(Object.fromEntries(record.resource)).toEqual({
      'service.name': 'node',
      'systemd.unit': 'web.service',
      'host.name': 'host',
      'process.pid': 12,
    })
  })

  it('reads JSON in the message of an entry as the record', () => {
    expect(recordIn(entry('PRIORITY=6', 'MESSAGE={"level":50,"msg":"inner"}'))).toMatchObject({
      format: 'pino',
      level: 'error',
      message: 'inner',
      time: 1795254963123.456,
    })
  })

  it('reads entries of journalctl -o json with bytes, arrays and null', () => {
    const bytes = [...Buffer.from('a\u0000é')]
    const line = JSON.stringify({
      PRIORITY: '6',
      MESSAGE: bytes,
      __REALTIME_TIMESTAMP: '1795254963123456',
      A: ['1', '2'],
      B: null,
    })
    const record = recordIn(line)
    expect(record).toMatchObject({ format: 'journald', level: 'info', message: 'a\u0000é' })
    expect(Object.fromEntries(record.attributes)).toEqual({ A: ['1', '2'] })
    expect(recordIn('{ "__REALTIME_TIMESTAMP" : "1795254963123456", "MESSAGE" : "old" }').message).toBe('old')
  })

  it('reads entries with any binary values, in chunks that end after any lines, between other lines', () => {
    const entries = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '=', '\u0000', 'é', '__CURSOR=') }), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    fc.assert(
      fc.property(entries, fc.array(fc.integer({ min: 1, max: 5 })), fc.boolean(), (entries, counts, reuseBuffer) => {
        const parts = entries.flatMap((values) => [
          entry(...values.map((value, index) => binaryField(index === 0 ? 'MESSAGE' : `F${index}`, value))),
          Buffer.from('text\n'),
        ])
        const items = readBytes(Buffer.concat(parts), { reuseBuffer }, counts)
        expect(items.map(({ raw }) => raw)).toEqual(parts)
        const records = items.flatMap(({ record }) => record ?? [])
        expect(records.map(({ attributes }) => Array.from(attributes.values()))).toEqual(
          entries.map(([, ...others]) => others),
        )
      }),
      { seed, numRuns: 300 },
    )
  })

  it('reads a cut or damaged entry without losing bytes', () => {
    const whole = entry('MESSAGE=whole', binaryField('DATA', 'x\ny'))
    const next = Buffer.from('{"level":30,"msg":"next"}\n')
    for (let end = 1; end < whole.length; end++) {
      const bytes = Buffer.concat([whole.subarray(0, end), Buffer.from('\n'), next])
      const items = readBytes(bytes, {}, [1, 1])
      expect(Buffer.concat(items.map(({ raw }) => raw))).toEqual(bytes)
    }
    const [cut, other] = readBytes(Buffer.concat([entry('MESSAGE=cut').subarray(0, -1), next]))
    expect([cut!.record!.message, other!.record!.message]).toEqual(['cut', 'next'])
    expect(textOf(other!)).toBe(next.toString())
  })
})
