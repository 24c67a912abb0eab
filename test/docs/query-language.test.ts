import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { parseGrammar, type GrammarNode } from '../../scripts/query-diagram/grammar.ts'
import { grammarPicture } from '../../scripts/query-diagram/picture.ts'
import { maxQueryDepth, maxQueryLength, parseQuery } from '../../src/read/query/parse-query.ts'
import { QueryError } from '../../src/read/query/query-error.ts'
import { fieldNames } from '../../src/read/query/record-field.ts'
import { isTimeText } from '../../src/read/time/time-text.ts'
import { seed } from '../support/seed.ts'
import { blocksOf, codeOf, tableUnder } from './blocks.ts'

const page = readFileSync(new URL('../../docs/reference/query-language.md', import.meta.url), 'utf8')
const picture = readFileSync(new URL('../../docs/pictures/query-language.svg', import.meta.url), 'utf8')
const grammar = parseGrammar(blocksOf(page).find(({ language }) => language === 'ebnf')!.text)

describe('the examples of the page', () => {
  test.each(tableUnder('Examples', page).map(([, query]) => codeOf(query!)))('the query %s is valid', (query) => {
    expect(parseQuery(query)).toHaveProperty('kind')
  })

  test('all conditions in the text are valid', () => {
    // Without blocks, and without the list of characters that need quotes.
    const text = page.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/``[^`]*(?:`[^`]+)*``/g, '')
    const conditions = [...text.matchAll(/`([^`]+)`/g)]
      .map(([, code]) => code!.replaceAll(String.raw`\|`, '|'))
      .filter((code) => /^(?!not \w+$)(?:.*\w.*(?:[=<>~]|\bin\b|\blike\b|\bcontains\b)|exists\()/.test(code))
    expect(conditions.length).toBeGreaterThan(40)
    const notQueries = conditions.filter((code) => errorOf(code) !== undefined)
    // A command that contains a query.
    expect(notQueries).toEqual([`sluice -q 'message contains "time out"'`])
  })

  test('the commands have valid queries', () => {
    const commands = [...page.matchAll(/sluice -q '([^']+)'/g)].map(([, query]) => query!)
    expect(commands.length).toBeGreaterThan(1)
    for (const query of commands) expect(errorOf(query)).toBeUndefined()
  })

  test('the error is the one of this query', () => {
    const block = blocksOf(page).find(({ text }) => text.includes('^'))!.text
    const error = errorOf(block.split('\n')[0]!)
    expect(`${error?.excerpt}\n${error?.reason}\n`).toBe(block)
  })
})

test('the page has all names of parts of a record, and no other', () => {
  const names = tableUnder('Keys', page).flatMap(([cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
  const camelCase = new Set(['eventName', 'traceId', 'spanId', 'severityNumber', 'severityText'])
  expect(names.filter((name) => !name.includes('.')).toSorted()).toEqual(
    [...fieldNames.keys()].filter((name) => !camelCase.has(name)).toSorted(),
  )
})

test('the page has forms of times that are parsed', () => {
  const forms = tableUnder('Times', page).flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, form]) => form!),
  )
  const units = ['w', 'd', 'h', 'm', 's', 'ms']
  expect(forms.filter((form) => !units.includes(form) && !isTimeText(form))).toEqual([])
  expect(units.filter((unit) => !isTimeText(`-1${unit}`))).toEqual([])
})

test('the page has the limits of a query', () => {
  expect(page).toContain(`${maxQueryLength.toLocaleString('en')} characters, ${maxQueryDepth} levels`)
})

describe('the grammar', () => {
  test('is drawn in the picture', () => {
    expect(picture).toBe(grammarPicture(grammar, 'Railroad diagrams of the grammar of queries'))
  })

  test('describes queries that are all valid', () => {
    fc.assert(
      fc.property(sentences('query', 5), (query) => {
        expect(errorOf(query)?.message).toBeUndefined()
      }),
      { seed, numRuns: 1_000 },
    )
  })

  test('refers to rules and terminals that the page defines', () => {
    const terminals = tableUnder('Grammar', page).map(([name]) => codeOf(name!))
    const references = [...grammar.values()].flatMap(referencesOf)
    expect([...new Set(references)].filter((name) => !grammar.has(name) && !terminals.includes(name))).toEqual([])
  })
})

function errorOf(query: string): QueryError | undefined {
  try {
    parseQuery(query)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}

const terminals: Readonly<Record<string, fc.Arbitrary<string>>> = {
  NAME: fc.constantFrom('a', 'x-request-id', '@timestamp', 'http', 'io/name', 'exists', 'ünï', 'nothing'),
  WORD: fc.constantFrom('checkout', 'api/users', '10:30', '-3d', '007', 'a?b', 'x[0]'),
  NUMBER: fc.constantFrom('0', '500', '-1.5', '12345678901234567890'),
  TEXT: fc.constantFrom(`'x'`, `"time out"`, String.raw`'it\'s'`, `''`, `"and"`),
  INDEX: fc.constantFrom('0', '12'),
  PATTERN: fc.constantFrom('a+', String.raw`\d\/`, '[/]', '^(a|b)$'),
  FLAGS: fc.constantFrom('i', 'ims', 'u'),
}
/** Rules whose parts have no spaces between them. */
const withoutSpaces = new Set(['key', 'expression'])

/** Returns sentences of a rule. At a depth of 0, choices take items without conditions. */
function sentences(rule: string, depth: number): fc.Arbitrary<string> {
  const separator = withoutSpaces.has(rule) ? fc.constant('') : fc.constantFrom(' ', '  ', '\n')
  return sentencesOf(grammar.get(rule)!, depth, separator)
}

function sentencesOf(node: GrammarNode, depth: number, separator: fc.Arbitrary<string>): fc.Arbitrary<string> {
  switch (node.kind) {
    case 'literal':
      return fc.constant(node.text)
    case 'reference':
      return terminals[node.name] ?? sentences(node.name, depth - 1)
    case 'choice': {
      const items =
        depth > 0 ? node.items : node.items.filter((item) => !referencesOf(item).some((name) => recursive.has(name)))
      return fc.oneof(...items.map((item) => sentencesOf(item, depth, separator)))
    }
    case 'optional':
      return fc.oneof(fc.constant(''), sentencesOf(node.item, depth, separator))
    case 'repeated': {
      const item = sentencesOf(node.item, depth, separator)
      return fc.array(item, { maxLength: 2 }).chain((items) => joined(items.map(fc.constant), separator))
    }
    default:
      return joined(
        node.items.map((item) => sentencesOf(item, depth, separator)),
        separator,
      )
  }
}

const recursive = new Set(['query', 'conjunction', 'condition'])

function joined(items: readonly fc.Arbitrary<string>[], separator: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(separator, ...items).map(([space, ...texts]) => texts.join(space))
}

function referencesOf(node: GrammarNode): string[] {
  if (node.kind === 'literal') return []
  if (node.kind === 'reference') return [node.name]
  return 'items' in node ? node.items.flatMap(referencesOf) : referencesOf(node.item)
}
