import { afterAll, expect } from '@jest/globals'
import { needs } from '../support/needs.ts'
import { decoderIsThere, startDecoder } from '../support/otlp/decoder.ts'

const testDecoder = needs('the OTLP decoder (`npm run real-parts`)', decoderIsThere)
const decoder = decoderIsThere ? startDecoder() : undefined

afterAll(() => decoder?.stop())

const requestWith = (record: string): string => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`

testDecoder('the decoder reads protobuf and JSON, and answers in the order of the questions', async () => {
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

testDecoder.each([
  ['a number that JSON has not', '{"body":{"doubleValue":NaN}}', 'NaN is no JSON'],
  ['an integer beyond 64 bits', '{"body":{"intValue":"9223372036854775808"}}', 'out of range'],
  ['a key twice', '{"eventName":"a","eventName":"b"}', 'a key stands twice'],
  ['a key that OTLP has not', '{"event":"a"}', 'no field named "event"'],
  ['an id that is not hexadecimal', '{"traceId":"zz"}', 'non-hexadecimal'],
  ['half a surrogate pair', String.raw`{"eventName":"\ud800"}`, 'surrogate'],
  ['what is no JSON', '{', 'JSONDecodeError'],
])('JS1 to JS11 the decoder refuses %s, and goes on', async (_, record, why) => {
  await expect(decoder!.decode('json', requestWith(record))).rejects.toThrow(why)
  await expect(decoder!.decode('json', requestWith('{}'))).resolves.toHaveLength(1)
})

testDecoder('the decoder refuses protobuf that is cut off', async () => {
  await expect(decoder!.decode('protobuf', Uint8Array.of(0x0a, 7, 0x12))).rejects.toThrow('DecodeError')
})
