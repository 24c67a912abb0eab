import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { hasDirectiveSyntax, parseDirectives, separateBareLevel } from '../../src/levels/parse-directives.ts'
import { resolveLevel } from '../../src/levels/resolve-level.ts'
import { Levels } from '../../src/logger/levels.ts'
import { runs } from '../support/runs.ts'

const levels = new Levels({ notice: 10 })

/** Returns each directive as text in a normal form. */
function parsed(text: string): string[] {
  return parseDirectives(text, levels).directives.map(
    ({ pattern, predicates, level }) =>
      `${pattern ?? ''}[${predicates.map(({ key, value }) => `${key}=${value}`).join('|')}]=${resolveLevel(level, levels)?.name}:${resolveLevel(level, levels)?.threshold}`,
  )
}

function problems(text: string): string[] {
  return parseDirectives(text, levels).problems.map(({ position, message }) => `${position}: ${message}`)
}

describe('valid directives', () => {
  test.each([
    ['info', ['[]=info:9']],
    ['silent', ['[]=silent:25']],
    ['notice', ['[]=notice:10']],
    ['WARN', ['[]=warn:13']],
    ['Warning', ['[]=warn:13']],
    ['db=debug', ['db[]=debug:5']],
    ['db.*=debug', ['db.*[]=debug:5']],
    ['*=off', ['*[]=silent:25']],
    ['@acme/db-pool:v1=trace', ['@acme/db-pool:v1[]=trace:1']],
    ['[tenant=acme]=trace', ['[tenant=acme]=trace:1']],
    ['db[tenant=acme,user.id=7]=trace', ['db[tenant=acme|user.id=7]=trace:1']],
    ['info,db.*=debug,http=warn', ['[]=info:9', 'db.*[]=debug:5', 'http[]=warn:13']],
    [' info , db = debug ,\tx[ a = b c ] = warn ', ['[]=info:9', 'db[]=debug:5', 'x[a=b c]=warn:13']],
    ['info\ndb=debug\r\n\nhttp=warn\n', ['[]=info:9', 'db[]=debug:5', 'http[]=warn:13']],
    ['# a comment, db=debug\n  # another\ninfo', ['[]=info:9']],
    ['db=debug # noisy, *=debug\ninfo\t# all\r\nhttp=warn #', ['db[]=debug:5', '[]=info:9', 'http[]=warn:13']],
    ['"a"[b=c] = debug # x', ['a[b=c]=debug:5']],
    ['info, # comment, db=debug', ['[]=info:9']],
    [
      'a#b=debug,[c=1#d]=warn,[c="1 #"]=warn,"#e"=debug',
      ['a#b[]=debug:5', '[c=1#d]=warn:13', '[c=1 #]=warn:13', '#e[]=debug:5'],
    ],
    ['info,,,db=debug,', ['[]=info:9', 'db[]=debug:5']],
    ['[note="a, b] = \\"c\\" \\\\"]=debug', ['[note=a, b] = "c" \\]=debug:5']],
    ['"my logger"=debug', ['my logger[]=debug:5']],
    ['""=debug', ['[]=debug:5']],
    ['["a*"="b?;\'"]=debug', ["[a*=b?;']=debug:5"]],
    [
      '"a;!"=debug,x:y=debug,o\'brien[who=o\'brien!]=debug',
      ['a;![]=debug:5', 'x:y[]=debug:5', "o'brien[who=o'brien!]=debug:5"],
    ],
    ['["a,b"=""]=debug', ['[a,b=]=debug:5']],
    ['[__proto__=x,constructor=y]=debug', ['[__proto__=x|constructor=y]=debug:5']],
    ['', []],
    [' ,\n# only a comment', []],
  ])('%j is parsed', (text, expected) => {
    expect(problems(text)).toEqual([])
    expect(parsed(text)).toEqual(expected)
  })

  test('a quoted empty name selects only loggers without a name, and a missing one selects all', () => {
    expect(parseDirectives('""=debug,[a=b]=debug', levels).directives.map(({ pattern }) => pattern)).toEqual([
      '',
      undefined,
    ])
  })
})

const exactValue = 'values are compared exactly; write the complete value, in double quotes if it contains * or ?'
const doubleQuotes = 'use double quotes: " instead of \''

/** Returns a matcher of texts that begin with another one. */
const startingWith = (start: string): unknown =>
  expect.stringMatching(new RegExp(`^${start.replaceAll(/[[\]]/g, '\\$&')}`))

describe('invalid directives', () => {
  test.each<[string, unknown]>([
    ['inof', '0: unknown level "inof"; did you mean "info"?'],
    ['db.*', '0: has no level; add one, such as =debug'],
    ['"db"', '4: has no level; add one, such as =debug'],
    ['db=', '3: expected a level after "="'],
    ['db=deb', '3: unknown level "deb"; valid levels are trace, debug, info, warn, error, fatal, notice, silent'],
    ['db=debug# x', startingWith('3: unknown level')],
    ['db= # x, *=debug', '4: expected a level after "="'],
    ['db.pool # x, *=debug', '0: has no level; add one, such as =debug'],
    ['[a=b] # x, *=debug', '6: has no level; add one, such as =debug'],
    ['db=deb # x, *=debug', startingWith('3: unknown level "deb"')],
    ['db=debug info # x, *=debug', '9: expected "," or the end'],
    ['[a=b # x, *=debug, info', '5: expected "," or "]"'],
    ['[a # x, *=debug, info', '3: expected "=" and a value, as in [tenant=acme]'],
    ['[a= # x, *=debug, info', '4: expected a value; write "" for empty text'],
    ['db=debug=info', '8: expected "," or the end'],
    ['db=debug http=warn', '9: expected "," or the end'],
    ['=debug', '0: expected the name of a logger before "="; remove "=" to set the level of all'],
    [']=debug', '0: expected a level or the name of a logger'],
    ['[a=b]', '5: has no level; add one, such as =debug'],
    ['[a]=debug', '2: expected "=" and a value, as in [tenant=acme]'],
    ['[]=debug', '1: expected the name of an attribute, as in [tenant=acme]'],
    ['[=b]=debug', '1: expected the name of an attribute, as in [tenant=acme]'],
    ['[a=]=debug', '3: expected a value; write "" for empty text'],
    ['[a=b', '0: "[" is not closed; add "]"'],
    ['db[', '2: "[" is not closed; add "]"'],
    ['[a=b,a=c]=debug', '5: the attribute is tested twice; remove one of the two'],
    ['[a="b]=debug', '3: the quote is not closed; add "'],
    ['[a=b=c]=debug', '4: expected "," or "]"'],
    ['[tenant=acme*]=debug', `12: ${exactValue}`],
    ['[host=db?]=debug', `8: ${exactValue}`],
    ['[user.*=7]=debug', startingWith('6: names of attributes are compared exactly')],
    [
      '[tenant!=acme]=debug',
      startingWith('7: there is no negation; write two directives, as in debug,[tenant=acme]=info'),
    ],
    ['db!=debug', startingWith('2: there is no negation')],
    ['!db=debug', startingWith('0: there is no negation')],
    ["[tenant='acme']=debug", `8: ${doubleQuotes}`],
    ["'db'=debug", `0: ${doubleQuotes}`],
    ["'db=debug'", `0: ${doubleQuotes}`],
    ["db='debug'", `3: ${doubleQuotes}`],
    ["['tenant'=acme]=debug", `1: ${doubleQuotes}`],
    ['db=debug;http=info', startingWith('8: directives are separated by ","')],
    ['info;db=debug', startingWith('4: directives are separated by ","')],
    ['[a=1;b=2]=debug', startingWith('4: conditions are separated by ","')],
    ['[a;b=2]=debug', startingWith('2: conditions are separated by ","')],
    ['[a=1][b=2]=debug', '5: conditions are in one pair of brackets, as in [a=1,b=2]'],
    ['db[span{tenant=acme}]=debug', '7: conditions have no braces; write [tenant=acme]'],
    ['tenant=acme=debug', '0: write conditions in brackets, as in [tenant=acme]=debug'],
    ['shop:debug', '4: write "=" before the level, as in db=debug'],
    ['shop:db:warning', '7: write "=" before the level, as in db=debug'],
  ])('%j is reported with its position', (text, expected) => {
    expect(problems(text)).toEqual([expected])
    expect(parsed(text)).toEqual([])
  })

  test('more than 16 conditions and texts of more than 65,536 characters are reported', () => {
    const conditions = Array.from({ length: 17 }, (_, index) => `a${index}=1`).join(',')
    expect(problems(`[${conditions}]=debug`)).toEqual([expect.stringContaining('write at most 16')])
    expect(problems('x'.repeat(65_537))).toEqual(['65536: has 65537 characters; write at most 65536'])
  })

  test('the valid directives around an invalid one are returned', () => {
    expect(parsed('info,db=deb,[a=1,b=2=debug,"x,y,http=warn')).toEqual(['[]=info:9', 'http[]=warn:13'])
    expect(parsed('info,db=deb,[a=x y,http=warn')).toEqual(['[]=info:9', 'http[]=warn:13'])
    expect(parsed('info\ndb=deb\n[a="1\nhttp=warn')).toEqual(['[]=info:9', 'http[]=warn:13'])
  })

  test('of more than 1,000 directives, the first 1,000 are returned', () => {
    const text = Array.from({ length: 1_001 }, (_, index) => `a${index}=debug`).join(',')
    expect(parsed(text)).toHaveLength(1_000)
    expect(problems(text)).toEqual([expect.stringContaining('too many directives')])
  })
})

test('any text is parsed without an error, and every problem has a position in the text', () => {
  const parts = fc.constantFrom('info', 'db', '.*', '=', ',', '[', ']', '"', '\\', ' ', '\n', '#', 'a=b', 'debug', '*')
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((each) => each.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { directives, problems } = parseDirectives(text, levels)
      for (const { position, message } of problems) {
        expect(position).toBeGreaterThanOrEqual(0)
        expect(position).toBeLessThanOrEqual(text.length)
        expect(message).not.toContain('\n')
      }
      expect(directives.length + problems.length).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: 2_000 * runs },
  )
})

test('a text of 64 KiB with unclosed brackets and quotes is parsed in linear time', () => {
  // Counted by the number of problems: each character is skipped once after the problem that it belongs to.
  expect(problems('[a="'.repeat(16_000)).length).toBeLessThan(20)
  expect(problems('['.repeat(65_000))).toHaveLength(1)
  expect(problems('[,'.repeat(32_000))).toHaveLength(32_000)
})

test.each([
  ['debug', false],
  ['silent', false],
  ['info,db=debug', true],
  ['*=info', true],
  ['[a=b]=info', true],
  ['info\ndebug', true],
])('hasDirectiveSyntax(%j) is %s', (text, expected) => {
  expect(hasDirectiveSyntax(text)).toBe(expected)
})

test('separateBareLevel returns the last level that names no logger, and the other directives', () => {
  const { directives } = parseDirectives('info,db=debug,warn,[a=b]=trace', levels)
  const { bareLevel, targeted } = separateBareLevel(directives)
  expect(bareLevel).toBe('warn')
  expect(targeted.map(({ pattern, predicates }) => [pattern, predicates.length])).toEqual([
    ['db', 0],
    [undefined, 1],
  ])
})
