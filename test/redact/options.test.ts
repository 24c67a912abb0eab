import { describe, expect, test } from '@jest/globals'
import { compileRedaction } from '../../src/redact/redact.ts'
import { applyRedaction } from '../support/redaction/redact-walker.ts'
import { problemsOf } from '../support/redaction/redacting.ts'

const X = '[REDACTED]'

describe('wrong options', () => {
  test('are told all at once, each with its place', () => {
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
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.serialize' },
      { code: 'SLUICE_OPTION_UNKNOWN', path: 'redact.strict' },
      { code: 'SLUICE_OPTION_TYPE', path: 'redact.remove' },
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

  test('the place in an array of paths is that of the entry, also behind a repeated one', () => {
    expect(problemsOf(['a', 'a', '.'])).toMatchObject([{ code: 'SLUICE_PATH_SYNTAX', path: 'redact[2]' }])
  })

  test.each([null, 'a.b', 5, () => ['a']])('rules are an array or an object: %p is refused', (redact) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path: 'redact' }])
  })

  test.each([
    [{ paths: 'a' }, 'redact.paths'],
    [{ paths: null }, 'redact.paths'],
    [{ keys: /a/ }, 'redact.keys'],
    [{ censor: Symbol('x') }, 'redact.censor'],
    [{ censor: 1n }, 'redact.censor'],
  ])('%p is refused', (redact, path) => {
    expect(problemsOf(redact)).toMatchObject([{ code: 'SLUICE_OPTION_TYPE', path }])
  })

  test.each([
    [{ serialize: false }, 'leave it out'],
    [{ strict: false }, 'leave it out'],
    [{ path: ['a'] }, 'did you mean "paths"?'],
    [[/a/], 'give regular expressions as keys'],
    [{ keys: ['__'] }, '**.["__"]'],
    [{ keys: ['12'] }, '**[12]'],
  ])('the message for %p says what to do', (redact, remedy) => {
    expect(problemsOf(redact)).toMatchObject([{ message: expect.stringContaining(remedy) }])
  })

  test('do not keep the right rules from being compiled', () => {
    const redaction = compileRedaction({ paths: ['a', 'b..c'], keys: ['', 'k'] }, 'redact', [])
    expect(applyRedaction(redaction, { a: 1, k: 2, c: 3 })).toEqual({ a: X, k: X, c: 3 })
  })

  test.each([[[]], [{}], [{ paths: [], keys: [] }], [{ paths: undefined, keys: undefined, remove: undefined }]])(
    'no rules are no mistake: %j',
    (redact) => expect(problemsOf(redact)).toEqual([]),
  )
})
