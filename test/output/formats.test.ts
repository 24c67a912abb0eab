import { describe, expect, it } from '@jest/globals'
import { fromOtlpJson } from './otlp-lines.ts'
import { createOutput } from '../../src/output/create-output.ts'
import { appLog, bytesWritten, mapOf, MemoryWriter, readRecord, settingsFor, written } from './written.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

/** Returns the number of records of each line. */
const recordCounts = (records: Parameters<typeof written>[1]) =>
  written('otlp', records)
    .trimEnd()
    .split('\n')
    .map((line) => fromOtlpJson(line)[0]?.records.length)

describe('json', () => {
  it('keeps the time, the level and the message of records whose attributes are all hidden', () => {
    const record = readRecord({ attributes: { a: 1 }, resource: { 'host.name': 'h' } })
    expect(written('json', [record], { hideKeys: ['*'] })).toBe(
      '{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"m"}\n',
    )
  })

  it('writes a record in the layout sluice', () => {
    const record = readRecord({
      level: 'notice',
      severityNumber: 10,
      message: 'order "42"',
      traceId,
      spanId,
      traceFlags: 1,
      scope: 'checkout',
      scopeVersion: '2.1.0',
      eventName: 'order.placed',
      resource: { 'service.name': 'shop' },
      attributes: { big: 2n ** 64n, bytes: new Uint8Array([104, 105]), list: [null, true, NaN], __proto__x: 1 },
    })
    expect(written('json', [record])).toBe(
      '{"timestamp":"2026-11-21T09:56:03.123Z","level":"notice","severity_number":10,"message":"order \\"42\\"",' +
        `"trace_id":"${traceId}","span_id":"${spanId}","trace_flags":"01",` +
        '"otel.scope.name":"checkout","otel.scope.version":"2.1.0","otel.event.name":"order.placed",' +
        '"service.name":"shop","attributes":{"big":"18446744073709551616","bytes":"aGk=","list":[null,true,"NaN"],' +
        '"__proto__x":1}}\n',
    )
  })

  it('writes a key __proto__ as data', () => {
    const attributes = new Map([['__proto__', new Map([['a', 1]])]])
    expect(written('json', [{ ...readRecord(), attributes }])).toContain('"attributes":{"__proto__":{"a":1}}')
  })

  it('writes nanoseconds, and the offset of a time zone', () => {
    const record = readRecord({ time: 1_795_254_963_123.456, timeUnixNano: 1_795_254_963_123_456_789n })
    expect(written('json', [record])).toContain('"timestamp":"2026-11-21T09:56:03.123456789Z"')
    expect(written('json', [record], { time: 'America/St_Johns' })).toContain('"2026-11-21T06:26:03.123456789-03:30"')
    const micros = readRecord({ time: 1_795_254_963_123.456 })
    expect(written('json', [micros])).toContain('.123456Z"')
  })

  it('writes all attributes of a resource that has more than the service, and the container', () => {
    const record = readRecord({
      resource: { 'service.name': 'shop', 'host.name': 'h1' },
      origin: { ...appLog, container: 'shop-1' },
    })
    expect(written('json', [record])).toContain(
      '"service.name":"shop","resource":{"service.name":"shop","host.name":"h1","container.name":"shop-1"}',
    )
  })

  it('does not write the application of syslog or the unit of journald as a container', () => {
    const origin = { ...appLog, container: 'app', isApplication: true }
    for (const format of ['syslog', 'journald', 'pino'] as const)
      expect(written('json', [readRecord({ format, resource: { 'service.name': 'app' }, origin })])).toBe(
        '{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"m","service.name":"app"}\n',
      )
  })

  it('writes only what is shown, and omits hidden fields', () => {
    const record = readRecord({ attributes: { a: 1, b: 2 }, traceId, spanId })
    const text = written('json', [record], { showKeys: ['a'], hideKeys: ['span_id', 'timestamp'] })
    expect(JSON.parse(text)).toEqual({ level: 'info', message: 'm', trace_id: traceId, attributes: { a: 1 } })
  })

  it('writes each line of text as a record with only a message, so that every line is JSON', () => {
    const text = bytesWritten('json', (output) => output.text(Buffer.from('one "x"\r\ntwo'), appLog)).toString()
    expect(text).toBe('{"message":"one \\"x\\""}\n{"message":"two"}\n')
  })

  it('writes a message of more than a megabyte in pieces, without a change', () => {
    const message = `\ud83d${'é"😀\n'.repeat(300_000)}\ud83d`
    const record = readRecord({ message, attributes: { a: 1 }, raw: message })
    const pieces: string[] = []
    const writer = new MemoryWriter()
    const write = writer.write.bind(writer)
    writer.write = (text) => {
      pieces.push(text)
      write(text)
    }
    createOutput(settingsFor('json', writer)).record(record)
    expect(JSON.parse(writer.bytes.toString())).toMatchObject({ message, attributes: { a: 1 } })
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
  })

  it('omits fields without a value', () => {
    const record = readRecord({ time: undefined, level: '', severityNumber: 0, message: undefined })
    expect(written('json', [record])).toBe('{}\n')
  })
})

describe('logfmt', () => {
  it('writes pairs, with quotes and escapes where they are needed', () => {
    const record = readRecord({
      message: 'order "42" placed\n',
      traceId,
      scope: 'checkout',
      resource: { 'service.name': 'my shop' },
      attributes: {
        n: 1.5,
        text: 'word',
        equal: 'a=b',
        empty: '',
        object: { a: [1, 'b c'] },
        'odd key=': true,
        nul: null,
      },
    })
    expect(written('logfmt', [record])).toBe(
      `time=2026-11-21T09:56:03.123Z level=info msg="order \\"42\\" placed\\n" trace_id=${traceId} scope=checkout ` +
        'service="my shop" n=1.5 text=word equal="a=b" empty="" object="{\\"a\\":[1,\\"b c\\"]}" odd_key_=true nul=null\n',
    )
  })

  it('writes lines of text as messages', () => {
    expect(bytesWritten('logfmt', (output) => output.text(Buffer.from('one two\n'), appLog)).toString()).toBe(
      'msg="one two"\n',
    )
  })
})

describe('csv', () => {
  it('writes a header and rows of RFC 4180, with the attributes as JSON', () => {
    const record = readRecord({
      message: 'a, "b"\nc',
      traceId,
      spanId,
      scope: 'checkout',
      resource: { 'service.name': 'shop' },
      attributes: { n: 1, s: 'x,y' },
    })
    expect(written('csv', [record])).toBe(
      'time,level,message,trace_id,span_id,service,scope,attributes\r\n' +
        `2026-11-21T09:56:03.123Z,info,"a, ""b""\nc",${traceId},${spanId},shop,checkout,"{""n"":1,""s"":""x,y""}"\r\n`,
    )
  })

  it('writes a column for each key of -i, also for members, prefixes and attributes of the resource', () => {
    const record = readRecord({
      attributes: { user: { id: 'u1', name: 'Ann' }, 'http.method': 'GET' },
      resource: { 'host.name': 'h1' },
    })
    const options = { showKeys: ['user.id', 'http.*', 'host.name', 'none'], hideKeys: ['trace_id', 'span_id', 'scope'] }
    expect(written('csv', [record], options)).toBe(
      'time,level,message,service,user.id,http.*,host.name,none\r\n' +
        '2026-11-21T09:56:03.123Z,info,m,,u1,"{""http.method"":""GET""}",h1,\r\n',
    )
  })

  it('writes only the header without records', () => {
    expect(written('csv', [])).toBe('time,level,message,trace_id,span_id,service,scope,attributes\r\n')
  })
})

describe('raw', () => {
  it('writes the bytes of records and text unchanged', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"\u001b[2J"}\r\n'), Buffer.from([0xff, 0x00, 0x0a])])
    const output = bytesWritten('raw', (to) => {
      to.record(readRecord({ raw: bytes }))
      to.text(bytes, appLog)
      to.text(Buffer.from('end'), appLog)
    })
    expect(output).toEqual(Buffer.concat([bytes, bytes, Buffer.from('end')]))
  })

  it('escapes control characters on a terminal', () => {
    expect(written('raw', [readRecord({ raw: 'a\u001b[2Jb\n' })], { isTerminal: true })).toBe('a\\u001b[2Jb\n')
  })
})

describe('otlp', () => {
  it('writes records of one resource and scope on one line that the decoder of this package reads', () => {
    const record = readRecord({
      level: 'warn',
      severityText: 'WARNING',
      severityNumber: 13,
      traceId,
      spanId,
      traceFlags: 1,
      eventName: 'e',
      scope: 'checkout',
      scopeVersion: '1',
      resource: { 'service.name': 'shop' },
      attributes: { n: 1, d: 1.5, big: 2n ** 62n, bytes: new Uint8Array([1]), map: { a: [null] } },
    })
    const lines = written('otlp', [record, record]).trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(fromOtlpJson(lines[0]!)).toEqual([
      {
        resource: { 'service.name': 'shop' },
        scope: 'checkout@1',
        records: Array.from({ length: 2 }, () => ({
          timeUnixNano: '1795254963123000000',
          severityNumber: 13,
          severityText: 'WARNING',
          body: 'm',
          traceId,
          spanId,
          flags: 1,
          eventName: 'e',
          attributes: { n: '1', d: 1.5, big: '4611686018427387904', bytes: 'AQ==', map: { a: [null] } },
        })),
      },
    ])
  })

  it('begins a line for another resource or scope, and after 128 records', () => {
    const shop = readRecord({ resource: { 'service.name': 'shop' } })
    const mail = readRecord({ resource: { 'service.name': 'mail' } })
    expect(recordCounts([shop, shop, mail, { ...mail, scope: 's' }, shop])).toEqual([2, 1, 1, 1])
    expect(recordCounts(Array.from({ length: 300 }, () => shop))).toEqual([128, 128, 44])
  })

  it('batches records whose resources are equal but not the same object', () => {
    const records = [1, 2].map(() => readRecord({ resource: { 'service.name': 'shop' } }))
    expect(written('otlp', records).trimEnd().split('\n')).toHaveLength(1)
  })

  it('writes an exact time, and none for a time that OTLP does not have', () => {
    const exact = readRecord({ timeUnixNano: 1_795_254_963_123_456_789n })
    expect(fromOtlpJson(written('otlp', [exact]).trimEnd())[0]?.records[0]?.timeUnixNano).toBe('1795254963123456789')
    const epoch = readRecord({ time: 0, timeUnixNano: 0n })
    expect(written('otlp', [epoch])).not.toContain('imeUnixNano')
  })

  it('writes what is held back when the input is quiet', () => {
    const writer = new MemoryWriter()
    const output = createOutput(settingsFor('otlp', writer))
    output.record(readRecord())
    output.flush()
    expect(fromOtlpJson(writer.bytes.toString())).toHaveLength(1)
  })

  it('writes a structured body and lines of text', () => {
    const text = bytesWritten('otlp', (output) => {
      output.record(readRecord({ message: undefined, body: mapOf({ a: 1 }) }))
      output.text(Buffer.from('one\n'), appLog)
    }).toString()
    expect(fromOtlpJson(text.trimEnd())[0]?.records.map(({ body }) => body)).toEqual([{ a: '1' }, 'one'])
  })
})
