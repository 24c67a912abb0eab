import { describe, expect, test } from '@jest/globals'
import { attributesOf, readLine, recordOf } from './read-line.ts'

describe('unusual JSON lines', () => {
  test.each([
    ['an empty line', ''],
    ['a text', 'listening on port 3000'],
    ['a lone bracket', ']'],
    ['a cut line', '{"level":30,"time":1,"msg":"cut'],
    ['two objects', '{"level":30,"msg":"a"}{"level":30,"msg":"b"}'],
    ['an array', '[{"level":30,"msg":"a"}]'],
    ['a scalar', '42'],
    ['null', 'null'],
    ['an object without a time, level or message', '{"a":1,"b":{"message":"m"}}'],
    ['a NUL in a text', '{"level":30,"msg":"a\0b"}'],
    ['a line of the File Exporter with spans', '{"resourceSpans":[{"scopeSpans":[]}]}'],
    ['a line of the File Exporter with metrics', '{"resourceMetrics":[{"scopeMetrics":[]}]}'],
  ])('%s is not a record', (_, line) => {
    expect(readLine(line)).toBeUndefined()
  })

  test.each([1_000, 20_000])(
    'a line with %i levels of nesting is read, with a marker for the deepest value',
    (levels) => {
      for (const [opening, closing] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const deep = `${opening.repeat(levels)}1${closing.repeat(levels)}`
        for (const line of [
          `{"level":30,"msg":"m","deep":${deep}}`,
          `{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"m","attributes":{"deep":${deep}}}`,
          `{"level":30,"msg":${deep}}`,
          `{"0":${deep},"_meta":{"logLevelId":3,"date":"2026-11-21T09:56:03.123Z"}}`,
          `{"level":"info","message":[${deep}],"category":["a"],"timestamp":1,"properties":{}}`,
          `{"level":30,"msg":"m","err":{"message":"m","stack":"s","cause":${deep}}}`,
          `{"level":30,"msg":"m","big":12345678901234567890,"deep":${deep}}`,
        ]) {
          const read = readLine(line)
          // V8 can refuse to parse such a text. The line is then text.
          if (read === undefined) continue
          const { attributes, body, level } = recordOf(line)
          expect(level).toBe('info')
          expect(attributes).toBeInstanceOf(Map)
          const text = JSON.stringify(
            [attributesOf(recordOf(line)), body instanceof Map ? '[Object: 1 keys]' : body],
            bigIntText,
          )
          expect(text).toMatch(/\[(?:Object: 1 keys|Array: 1 items)\]/)
        }
      }
    },
  )

  test('integers of more than 53 bits keep their digits', () => {
    const line =
      '{"level":30,"time":1795254963123456789,"msg":"m","id":9007199254740993,"neg":-12345678901234567890,' +
      '"nested":[{"id":98765432109876543210}],"exact":9007199254740992,"round":1e21,"fraction":1.5}'
    const record = recordOf(line)
    expect(record.timeUnixNano).toBe(1_795_254_963_123_456_789n)
    expect(attributesOf(record)).toEqual({
      id: 9_007_199_254_740_993n,
      neg: -12_345_678_901_234_567_890n,
      nested: [{ id: 98_765_432_109_876_543_210n }],
      exact: 2 ** 53,
      round: 1e21,
      fraction: 1.5,
    })
    const own =
      '{"timestamp":"2026-11-21T09:56:03.123Z","level":"info","message":"m","attributes":{"id":9007199254740993}}'
    expect(attributesOf(recordOf(own))).toEqual({ id: 9_007_199_254_740_993n })
    expect(recordOf('{"level":30,"msg":12345678901234567890}').body).toBe(12_345_678_901_234_567_890n)
  })

  test('keys of Object.prototype are ordinary keys', () => {
    const line =
      '{"level":30,"msg":"m","__proto__":{"polluted":true},"constructor":1,"toString":"t","err":{"message":"m","__proto__":2}}'
    const { attributes } = recordOf(line)
    expect([...attributes.keys()]).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', 'toString', 'err', 'exception.message']),
    )
    expect(attributes.get('err')).toEqual(new Map([['__proto__', 2]]))
    expect(attributes.get('__proto__')).toEqual(new Map([['polluted', true]]))
    expect({}).not.toHaveProperty('polluted')
    for (const object of ['{"__proto__":{"level":30,"msg":"m"}}', '{"__proto__":{"resourceLogs":[]}}'])
      expect(readLine(object)).toBeUndefined()
  })

  test('members of Object.prototype are not read as fields', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    try {
      Object.assign(prototype, { level: 50, time: 1, err: { message: 'polluted' }, attributes: { a: 1 }, cause: 'c' })
      const record = recordOf('{"msg":"m","x":1}')
      expect([record.level, record.time, [...record.attributes.keys()]]).toEqual(['', undefined, ['x']])
      const failed = recordOf('{"level":50,"msg":"m","err":{"stack":"s"}}')
      expect([...failed.attributes]).toEqual([['exception.stacktrace', 's']])
    } finally {
      for (const name of ['level', 'time', 'err', 'attributes', 'cause']) delete prototype[name]
    }
  })

  test('a value that is not suitable for a field stays an attribute', () => {
    const record = recordOf({
      level: 30,
      time: 'soon',
      pid: { a: 1 },
      trace_id: 'mine',
      span_id: '',
      msg: 'm',
      err: 'text',
    })
    expect(record).toMatchObject({
      format: 'pino',
      time: undefined,
      traceId: undefined,
      spanId: undefined,
      message: 'm',
    })
    expect(attributesOf(record)).toEqual({ time: 'soon', pid: { a: 1 }, trace_id: 'mine', span_id: '', err: 'text' })
  })
})

function bigIntText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
