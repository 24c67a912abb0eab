import { expect, test } from '@jest/globals'
import { budget } from '../../src/handlers/budget.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { route } from '../../src/handlers/route.ts'
import { sampleByTrace } from '../../src/handlers/sample-by-trace.ts'
import { tee } from '../../src/handlers/tee.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'

import { thrower } from '../support/values/hostile.ts'

/** Functions without types, as JavaScript calls them. */
const untyped = { budget, dedupe, limit, route, sampleByTrace, tee } as unknown as Record<
  string,
  (...args: unknown[]) => unknown
>

test.each<[string, unknown[], RegExp]>([
  ['limit', [{ first: 0 }], /limit\.first: must be an integer of 1 or more/],
  ['limit', [{ first: NaN }], /limit\.first: must be an integer/],
  ['limit', [{ first: '10' }], /limit\.first: must be an integer .* write 10/],
  ['limit', [{ thereafter: -1 }], /limit\.thereafter: must be an integer of 0 or more/],
  ['limit', [{ windowMillis: 0 }], /limit\.windowMillis: must be an integer from 1 to/],
  ['limit', [{ windowMillis: Infinity }], /limit\.windowMillis: must be an integer from 1 to/],
  ['limit', [{ maxKeys: 0 }], /limit\.maxKeys: must be an integer of 1 or more/],
  ['limit', [{ by: 'message' }], /limit\.by: must be 'template', \{ attribute: 'name' \} or a function/],
  [
    'limit',
    [{ by: { tenant: true } }],
    /limit\.by: must be 'template', \{ attribute: 'name' \} or a function that returns a key, not an object/,
  ],
  ['limit', [{ keepLevel: 'warning' }], /limit\.keepLevel: .*did you mean "warn"/],
  ['limit', [{ keepLevel: 13 }], /limit\.keepLevel: must be one of trace/],
  ['limit', [{ window: 1 }], /limit\.window: unknown option/],
  ['limit', [100], /limit: must be an object with options, not a number/],
  ['limit', [{ first: -1, maxKeys: 0 }], /first.*maxKeys/],
  ['dedupe', [{ windowMillis: 0 }], /dedupe\.windowMillis: must be an integer from 1 to/],
  ['dedupe', [{ windowMillis: 0.5 }], /dedupe\.windowMillis/],
  ['dedupe', [{ keepLevel: 'warn' }], /dedupe\.keepLevel: unknown option/],
  ['sampleByTrace', [], /sampleByTrace\.ratio: must be a number from 0 to 1, not undefined/],
  ['sampleByTrace', [NaN], /sampleByTrace\.ratio: must be a number from 0 to 1, not NaN/],
  ['sampleByTrace', [-0.1], /sampleByTrace\.ratio: must be a number from 0 to 1, not -0\.1/],
  ['sampleByTrace', [10], /sampleByTrace\.ratio: .*not 10; for one trace in ten, write sampleByTrace\(0\.1\)/],
  ['sampleByTrace', ['0.1'], /sampleByTrace\.ratio: must be a number from 0 to 1, not a string/],
  ['sampleByTrace', [0.1, { reportMillis: 0 }], /sampleByTrace\.reportMillis/],
  ['budget', [], /budget\.bytesPerSecond: is missing/],
  ['budget', [{}], /budget\.bytesPerSecond: is missing/],
  ['budget', [{ bytesPerSecond: 0 }], /budget\.bytesPerSecond: must be a number of bytes of 1 or more/],
  ['budget', [{ bytesPerSecond: NaN }], /budget\.bytesPerSecond: must be a number of bytes/],
  ['budget', [{ bytesPerSecond: { debug: 0 } }], /budget\.bytesPerSecond: must be a number of bytes/],
  ['budget', [{ bytesPerSecond: { verbose: 1 } }], /budget\.bytesPerSecond\.verbose: is not a standard level/],
  ['budget', [{ bytesPerSecond: 1, burst: 0 }], /budget\.burst: must be a number of bytes/],
  ['route', [], /route\.by: must be a function/],
  ['route', [() => 'a', { a: limit({}), b: {} }], /route\.handlers\.b: must be a function, such as limit/],
  ['route', [() => 'a', [limit({})]], /route\.handlers: must be an object/],
  ['tee', [limit({}), {}], /tee\.handlers\[1\]: must be a function, such as limit/],
])('%s(...%j) throws a ConfigurationError', (name, args, message) => {
  const call = () => untyped[name]!(...args)
  expect(call).toThrow(ConfigurationError)
  expect(call).toThrow(message)
})

test.each<[string, unknown[]]>([
  ['limit', []],
  ['limit', [{ first: Infinity, thereafter: 0, keepLevel: 'silent', by: undefined }]],
  ['dedupe', [undefined]],
  ['sampleByTrace', [0]],
  ['sampleByTrace', [1]],
  ['budget', [{ bytesPerSecond: Infinity }]],
  ['budget', [{ bytesPerSecond: { debug: 1 }, burst: 10 }]],
  ['route', [() => 'a', {}]],
  ['tee', []],
])('%s(...%j) is valid', (name, args) => {
  expect(typeof untyped[name]!(...args)).toBe('function')
})

test('an option whose getter throws is a problem, without the error', () => {
  const options = {
    get first(): number {
      return thrower()
    },
  }
  expect(() => limit(options)).toThrow(/limit\.first: cannot be read, because a getter or proxy threw/)
})
