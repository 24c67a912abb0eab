import { describe, expect, test } from '@jest/globals'
import { compileRedaction } from '../../src/redact/redact.ts'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { problemsOf } from '../support/redaction/rules.ts'

const X = '[REDACTED]'

describe('validation of redact options', () => {
  test('all invalid redact options are reported at once with their paths', () => {
    const redact = {
      paths: ['ok', 'a..b', 7, '', /x/],
      keys: ['-_', 'ok', 5, '0', null],
      censor: {},
      remove: 'yes',
      serialize: false,
      strict: true,
      pattern: ['jwt'],
    }
    expect(problemsOf(redact)).toMatchObject([
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.remove' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.serialize' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.strict' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.pattern' },
      { code: 'SLUICE_PATH_SYNTAX', path: 'redact.paths[1]', position: 2 },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.paths[2]' },
      { code: 'SLUICE_PATH_NEVER_MATCHES', path: 'redact.paths[3]', position: 0 },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.paths[4]' },
      { code: 'SLUICE_KEY_NEVER_MATCHES', path: 'redact.keys[0]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.keys[2]' },
      { code: 'SLUICE_KEY_NEVER_MATCHES', path: 'redact.keys[3]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.keys[4]' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.censor' },
    ])
  })

  test('the reported index of an invalid path is its index in the array, also after a duplicate', () => {
    expect(problemsOf(['a', 'a', '.'])).toMatchObject([{ code: 'SLUICE_PATH_SYNTAX', path: 'redact[2]' }])
  })

  test.each([null, 'a.b', 5, () => ['a']])('redact: %p is rejected because of its type', (redact) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path: 'redact' }])
  })

  test.each([
    [{ paths: 'a' }, 'redact.paths'],
    [{ paths: null }, 'redact.paths'],
    [{ keys: /a/ }, 'redact.keys'],
    [{ censor: Symbol('x') }, 'redact.censor'],
    [{ censor: 1n }, 'redact.censor'],
  ])('the redact options %p are rejected', (redact, path) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path }])
  })

  test.each([
    [{ serialize: false }, 'remove it'],
    [{ strict: false }, 'remove it'],
    [{ path: ['a'] }, 'did you mean "paths"?'],
    [[/a/], 'use keys for regular expressions'],
    [{ keys: ['__'] }, '**["__"]'],
    [{ keys: ['12'] }, '**[12]'],
    [{ keys: ['*token'] }, '/token$/i'],
    [{ keys: ['pass*'] }, '/^pass/i'],
    [{ keys: ['*pass*'] }, '/pass/i'],
    [{ keys: ['user.*'] }, "paths: ['user.*']"],
    [{ keys: ['/pin/i'] }, 'write /pin/i'],
    [{ keys: ['  '] }, '**["  "]'],
    [{ keys: ['user*name'] }, 'write /^user.*name$/i'],
    [{ keys: ['*pass*word*'] }, 'write /pass.*word/i'],
    [{ keys: ['$.pin'] }, "paths: ['pin']"],
    [{ keys: ['$..pin'] }, "paths: ['**.pin']"],
    [{ keys: ['/user/id'] }, "paths: ['user.id']"],
    [[['user', 'pin']], "write 'user.pin'"],
    [{ patterns: ['/pin/'] }, 'without quotes'],
  ])('the message for %p names the remedy', (redact, remedy) => {
    expect(problemsOf(redact)).toMatchObject([{ message: expect.stringContaining(remedy) }])
  })

  test.each([
    [{ keys: ['a.b*'] }],
    [{ keys: ['/user(/i'] }],
    [{ keys: [`/${'a'.repeat(70)}/`] }],
    [{ keys: '__' }],
    [{ keys: '12' }],
    [{ paths: 'a..b' }],
    ['pass*'],
  ])('the message for %p contains no remedy that would be rejected', (redact) => {
    expect(problemsOf(redact)).toMatchObject([{ message: expect.not.stringContaining('write') }])
  })

  test('valid rules are compiled even if others are invalid', () => {
    const redaction = compileRedaction({ paths: ['a', 'b..c'], keys: ['', 'k'] }, 'redact', [])
    expect(applyRedaction(redaction, { a: 1, k: 2, c: 3 })).toEqual({ a: X, k: X, c: 3 })
  })

  test.each([[[]], [{}], [{ paths: [], keys: [] }], [{ paths: undefined, keys: undefined, remove: undefined }]])(
    'empty redact options are valid: %j',
    (redact) => expect(problemsOf(redact)).toEqual([]),
  )
})
