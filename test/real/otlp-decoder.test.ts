import { afterAll, expect } from '@jest/globals'
import { needs } from '../support/needs.ts'
import { hasDecoder, startDecoder } from '../support/otlp/decoder.ts'

const testDecoder = needs('the OTLP decoder (`npm run real-parts`)', hasDecoder)
const decoder = hasDecoder ? startDecoder() : undefined

afterAll(() => decoder?.stop())

const requestWith = (record: string): string => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`

testDecoder('the decoder parses protobuf and JSON, and responds in the order of the requests', async () => {
  // resource_logs { scope_logs { log_records { event_name: "a" } } }
  const protobuf = Uint8Array.of(0x0a, 7, 0x12, 5, 0x12, 3, 0x62, 1, 0x61)
  const json = ['b', 'c'].map((name) => requestWith(`{"eventName":"${name}"}`))
  const answers = await Promise.all([
    decoder!.decode('protobuf', protobuf),
    decoder!.decode('json', json[0]!),
    decoder!.decode('protobuf', protobuf),
    decoder!.decode('json', json[1]!),
  ])
  expect(answers.flat().map(({ eventName }) => eventName)).toEqual(['a', 'b', 'a', 'c'])
})

// Requirements: JS1, JS2, JS3, JS4, JS5, JS6, JS7, JS8, JS9, JS10, JS11
testDecoder.each([
  ['a number that JSON does not support', '{"body":{"doubleValue":NaN}}', 'NaN is not JSON'],
  ['an integer beyond 64 bits', '{"body":{"intValue":"9223372036854775808"}}', 'out of range'],
  ['a duplicate key', '{"eventName":"a","eventName":"b"}', 'a duplicate key among'],
  ['a key that OTLP does not define', '{"event":"a"}', 'no field named "event"'],
  ['an id that is not hexadecimal', '{"traceId":"zz"}', 'non-hexadecimal'],
  ['a lone surrogate', String.raw`{"eventName":"\ud800"}`, 'surrogate'],
  ['invalid JSON', '{', 'JSONDecodeError'],
])('the decoder rejects %s and continues', async (_, record, why) => {
  await expect(decoder!.decode('json', requestWith(record))).rejects.toThrow(why)
  await expect(decoder!.decode('json', requestWith('{}'))).resolves.toHaveLength(1)
})

testDecoder('the decoder rejects truncated protobuf', async () => {
  await expect(decoder!.decode('protobuf', Uint8Array.of(0x0a, 7, 0x12))).rejects.toThrow('DecodeError')
})
