import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { isPathFault, parseRedactPath } from '../../src/redact/path.ts'
import { readPinoPath, readRedactPath } from '../../src/redact/path-forms.ts'
import { problemsOf } from '../support/redaction/rules.ts'

/** Returns the advice in the message about a path, or undefined if the path is accepted. */
function adviceFor(path: string): string | undefined {
  const read = readRedactPath(path)
  return isPathFault(read) ? read.message.slice(read.message.indexOf('; write ') + '; write '.length) : undefined
}

describe('paths of other languages', () => {
  test.each([
    ['/user/password', 'user.password'],
    ['#/user/0/email', 'user[0].email'],
    ['/a~1b/c~0d', '["a/b"]["c~d"]'],
    ['/users/*/email', 'users.*.email'],
    ['/users/**/pw', 'users.**.pw'],
    ['/$/pw', '["$"].pw'],
    ['/user/gg', 'user.gg'],
    ['/user/id', 'user.id'],
    ['.password', 'password'],
    ['..password', '**.password'],
    ['.users[].email', 'users[*].email'],
    ['users[]', 'users[*]'],
    ['a..b', 'a.**.b'],
    ['a.', 'a'],
    ['a[0', 'a[0]'],
    ['a[b]', 'a.b'],
    ['user?.password', 'user.password'],
    ['user?.["x"]', 'user["x"]'],
    ['"password"', 'password'],
    ['**/password', '**.password'],
  ])('the path %s is rejected with the valid path %s', (path, advice) => {
    expect(adviceFor(path)).toBe(advice)
    expect(isPathFault(parseRedactPath(advice))).toBe(false)
  })

  test.each([
    ['$.user.password', 'user.password, or ["$"].user.password for a member named $'],
    ['$..password', '**.password, or ["$"].**.password for a member named $'],
    ["$['user']['pass-word']", `['user']['pass-word'], or ["$"]['user']['pass-word'] for a member named $`],
    ['$.users[*].email', 'users[*].email, or ["$"].users[*].email for a member named $'],
    ['@.password', 'password, or ["@"].password for a member named @'],
    ['$', 'user.password, or ["$"].user.password for a member named $'],
    ['$.a[?(@.b)]', 'user.password, or ["$"].user.password for a member named $'],
    ['/', 'user.password'],
    ['/a//b', 'user.password'],
    ['~/x', '["~/x"] for that name'],
    ['/password/i', 'keys: [/password/i]'],
    ['/^pass/', 'keys: [/^pass/]'],
    [String.raw`/pass\/word/`, String.raw`keys: [/pass\/word/]`],
    ['/^[/]pass/', 'keys: [/^[/]pass/]'],
    ['password*', 'keys: [/^password/]'],
    ['a.*word', 'keys: [/word$/]'],
    ['user*name', 'keys: [/^user.*name$/]'],
    ['a.*pass*word*', 'keys: [/pass.*word/]'],
    ['user/password', 'user.password, or ["user/password"] for that name'],
    ['a,b.c', "one entry for each path: 'a', 'b.c'"],
    ['a;b', "one entry for each path: 'a', 'b'"],
    ["a['b'],c", `one entry for each path: "a['b']", 'c'`],
  ])('the path %s is rejected with the advice to write %s', (path, advice) => expect(adviceFor(path)).toBe(advice))

  test.each(['["$"].user', '$ref', 'a.$b', '["/user"]', '["a.b"]', '["@"]', 'a["?"]'])(
    'the path %s is accepted',
    (path) => {
      expect(adviceFor(path)).toBeUndefined()
    },
  )

  test.each(['$.user.password', '$', '@.password', "$['a']", '$[0]', ' $.a'])(
    'sluice/pino accepts the path %s, as pino does',
    (path) => expect(readPinoPath(path)).toEqual(parseRedactPath(path)),
  )

  test.each(['$..password', '$.a[?(@.b)]', '$.a[b]', '/user', '.a', 'a..b'])(
    'sluice/pino rejects the path %s, which is in another language',
    (path) => expect(isPathFault(readPinoPath(path))).toBe(true),
  )

  test('a long path is not repeated in the message', () => {
    expect(adviceFor(`$.${'a'.repeat(100)}`)).not.toContain('aaa')
  })
})

/** Returns the options that the advice for a rejected path names: the paths or the keys to write. */
function optionsAdvisedForPath(message: string): object[] {
  const written = /; write (.*?)(?: for (?:a member named .|that name))?$/s.exec(message)![1]!
  if (written.startsWith('keys: ')) return [evaluated(`{ ${written} }`) as object]
  const entries = /^one entry for each path: (.*)$/s.exec(written)?.[1]
  if (entries !== undefined) return [{ paths: evaluated(`[${entries}]`) }]
  return written.split(', or ').map((path) => ({ paths: [path] }))
}

/** Returns the options that the advice for a rejected key names. */
function optionsAdvisedForKey(message: string): object[] {
  const [, paths, expression, path] = /(?: write (?:(paths: .*)|(\/.*))| the path (.*))$/s.exec(message) ?? []
  if (paths !== undefined) return [evaluated(`{ ${paths} }`) as object]
  if (expression !== undefined) return [{ keys: [evaluated(expression)] }]
  return path === undefined ? [] : [{ paths: [path] }]
}

/** Evaluates advice as the user's program would. */
function evaluated(text: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval
  return Function(`return (${text})`)()
}

const pathLike = fc
  .array(
    fc.oneof(
      fc.constantFrom('$', '@', '.', '..', '*', '**', '/', '#/', '~', '~1', '?.', '[', ']', '[]', '[*]', '(', ')', '+'),
      fc.constantFrom(
        '"',
        "'",
        '`',
        '\\',
        ',',
        ';',
        '^',
        '-',
        '_',
        'user',
        'password',
        'a',
        'gg',
        'i',
        'id',
        '0',
        '07',
      ),
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => parts.join(''))

test('every path and key that the error for a rejected path names is accepted', () => {
  const advised: object[] = []
  fc.assert(
    fc.property(pathLike, (path) => {
      const parsed = parseRedactPath(path)
      for (const read of [readRedactPath(path), readPinoPath(path)]) {
        // The parser's own advice is an example, not a corrected path.
        if (!isPathFault(read) || (isPathFault(parsed) && parsed.message === read.message)) continue
        const options = optionsAdvisedForPath(read.message)
        expect(options.flatMap(problemsOf)).toEqual([])
        advised.push(...options)
      }
    }),
    { numRuns: 5_000 },
  )
  expect(advised.length).toBeGreaterThan(500)
})

test('every path and key that the error for a rejected key names is accepted', () => {
  const advised: object[] = []
  fc.assert(
    fc.property(pathLike, (key) => {
      const options = problemsOf({ keys: [key] }).flatMap(({ message }) => optionsAdvisedForKey(message))
      expect(options.flatMap(problemsOf)).toEqual([])
      advised.push(...options)
    }),
    { numRuns: 5_000 },
  )
  expect(advised.length).toBeGreaterThan(200)
})
