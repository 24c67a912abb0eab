import { expect, test } from '@jest/globals'
import { varint, varintLength } from '../../../src/encode/otlp/protobuf.ts'
import { importOf, runChild } from '../../support/processes/child.ts'

test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [16_383, 'ff7f'],
  [16_384, '808001'],
  [4_294_967_295, 'ffffffff0f'],
  [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
])('a varint of %d is encoded as %s', (value, hex) => {
  expect(Buffer.from(varint(value), 'latin1').toString('hex')).toBe(hex)
  expect(varintLength(value)).toBe(hex.length / 2)
})

test('a varint of any other number than an integer below 2^53 terminates', async () => {
  // An endless encoder would block its process, so it runs in a child process.
  const program = `${importOf('{ varint, varintLength }', 'src/encode/otlp/protobuf.ts')}
    const values = [1.5, 127.5, 300.5, 20_000.5, -1, -Infinity, NaN, Infinity, 1e300]
    const hex = values.map((value) => Buffer.from(varint(value), 'latin1').toString('hex'))
    console.log(hex.join(' '), varintLength(Infinity))`
  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', program]
  const { stdout } = await runChild({ args })
  expect(stdout).toBe('01 7f ac02 a09c01 00 00 00 00 00 1\n')
})
