import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { AnyValue } from '../../src/record/any-value.ts'
import { arePredicatesMet, directivesForLogger, type Directive } from '../../src/levels/directive.ts'
import { matchesPattern } from '../../src/levels/name-pattern.ts'
import { parseDirectives } from '../../src/levels/parse-directives.ts'
import { Levels } from '../../src/logger/levels.ts'
import { runs } from '../support/runs.ts'

const levels = new Levels()
const directivesOf = (text: string) => parseDirectives(text, levels).directives

/** Returns the level that the directives set for the records of a logger; undefined if none applies. */
function levelFor(text: string, name: string, attributes: Readonly<Record<string, AnyValue>> = {}): string | undefined {
  const source = { attributeOf: (key: string) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined) }
  return directivesForLogger(directivesOf(text), name, levels).find(({ directive }) =>
    arePredicatesMet(directive.predicates, source),
  )?.level.name
}

describe('the directive that applies', () => {
  test.each<[string, string, Record<string, AnyValue>, string | undefined]>([
    ['info', 'db', {}, 'info'],
    ['info,warn', 'db', {}, 'warn'],
    ['db=debug', 'db', {}, 'debug'],
    ['db=debug', 'db.pool', {}, undefined],
    ['db.*=debug', 'db', {}, undefined],
    ['db.*=debug', 'db.pool.x', {}, 'debug'],
    ['db?=debug', 'db2', {}, 'debug'],
    ['db=debug', 'DB', {}, undefined],
    ['*=debug,info', 'db', {}, 'info'],
    // The exact name wins over a longer pattern, and a longer literal prefix over a shorter one.
    ['db.pool=debug,db.pool*=warn', 'db.pool', {}, 'debug'],
    ['db.pool*=warn,db.*=trace', 'db.pool', {}, 'warn'],
    ['db.*=trace,db.pool*=warn', 'db.pool', {}, 'warn'],
    ['db.*=trace,*.pool=warn', 'db.pool', {}, 'trace'],
    // More predicates win over all of them.
    ['[tenant=acme]=trace,db.pool=warn', 'db.pool', { tenant: 'acme' }, 'trace'],
    ['[tenant=acme]=trace,db.pool=warn', 'db.pool', { tenant: 'x' }, 'warn'],
    ['[a=1]=trace,[a=1,b=2]=warn', '', { a: '1', b: '2' }, 'warn'],
    ['[a=1]=trace,[b=2]=warn', '', { a: '1', b: '2' }, 'warn'],
    ['db[a=1]=debug,[b=2]=warn', 'db', { a: '1', b: '2' }, 'debug'],
    // Values are compared as text.
    ['[a=1]=debug', '', { a: 1 }, 'debug'],
    ['[a=1]=debug', '', { a: 1n }, 'debug'],
    ['[a=true]=debug', '', { a: true }, 'debug'],
    ['[a=1.5]=debug', '', { a: 1.5 }, 'debug'],
    ['[a=null]=debug', '', { a: null }, undefined],
    ['[a=undefined]=debug', '', {}, undefined],
    ['[a="1,2"]=debug', '', { a: [1, 2] }, undefined],
    ['[a="[object Map]"]=debug', '', { a: new Map() }, undefined],
    ['[a=""]=debug', '', { a: '' }, 'debug'],
    ['[__proto__=x]=debug', '', {}, undefined],
    ['[constructor=x]=debug', '', {}, undefined],
  ])('%j sets for the logger %j with %j the level %s', (text, name, attributes, expected) => {
    expect(levelFor(text, name, attributes)).toBe(expected)
  })
})

test('the directive that applies is the one that the rules of precedence select from all that match', () => {
  const names = fc.constantFrom('db', 'db.pool', 'http', '')
  const patterns = fc.constantFrom('', 'db', 'db.*', 'db*', '*', '*pool', 'h?tp', 'db.pool')
  const predicates = fc.subarray(['[a=1]', '[b=2]', '[c=3]']).map((each) => {
    const inner = each.map((predicate) => predicate.slice(1, -1)).join(',')
    return inner === '' ? '' : `[${inner}]`
  })
  const directive = fc
    .record({ pattern: patterns, predicates, level: fc.constantFrom('trace', 'debug', 'warn') })
    .map(({ pattern, predicates, level }) => (pattern + predicates === '' ? level : `${pattern}${predicates}=${level}`))
  const attributes = fc.subarray(['a', 'b', 'c'] as const).map((keys) => {
    const values = { a: '1', b: '2', c: '3' }
    return Object.fromEntries(keys.map((key) => [key, values[key]]))
  })
  fc.assert(
    fc.property(fc.array(directive, { maxLength: 8 }), names, attributes, (texts, name, given) => {
      const text = texts.join(',')
      const matching = directivesOf(text).filter(
        ({ pattern, predicates }) =>
          (pattern === undefined || matchesPattern(name, pattern)) &&
          predicates.every(({ key, value }) => given[key] === value),
      )
      const best = matching.reduce<Directive | undefined>(
        (best, each) => (best === undefined || rank(each, name) >= rank(best, name) ? each : best),
        undefined,
      )
      expect(levelFor(text, name, given)).toBe(best?.level)
    }),
    { numRuns: 1_000 * runs },
  )
})

/** Returns a number that is higher for a directive with precedence. */
function rank({ pattern = '', predicates }: Directive, name: string): number {
  const literal = pattern.split(/[*?]/)[0]!.length
  return predicates.length * 10_000 + (pattern === name && pattern !== '' ? 1_000 : 0) + literal
}
