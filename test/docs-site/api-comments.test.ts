import { describe, expect, it } from '@jest/globals'
import type { ApiItem } from '../../docs/site/api/model-types.ts'
import { readDocComment, type DocComment } from '../../docs/site/api/doc-comment.ts'
import { entryLinksOf } from '../../docs/site/.vitepress/entry-links.ts'
import { acceptsNumber, optionFacts } from '../../docs/site/api/option-facts.ts'

function read(...lines: string[]): DocComment {
  const comment = ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n')
  return readDocComment(comment, (name, text = name) => `[${text}](#${name})`)
}

function option(name: string, type: string): ApiItem {
  return {
    kind: 'PropertySignature',
    name,
    canonicalReference: `sluice!Options#${name}:member`,
    docComment: '',
    isOptional: true,
    excerptTokens: [
      { kind: 'Content', text: `readonly ${name}?: ` },
      { kind: 'Content', text: type },
    ],
    propertyTypeTokenRange: { startIndex: 1, endIndex: 2 },
  }
}

describe('the comment of a declaration', () => {
  it('keeps its lists, code and paragraphs as Markdown', () => {
    const { summary } = read('First `a<b>`.', '', '- one', '- two')
    expect(summary).toBe('First `a<b>`.\n\n- one\n- two')
  })

  it('has no HTML and no template of Vue outside of code', () => {
    expect(read('Sets <b> & {{ x }}, `{{ y }}`.').summary).toBe('Sets &lt;b> &amp; {<!-- -->{<!-- --> x }}, `{{ y }}`.')
  })

  it('links exports, with the text of the link', () => {
    expect(read('See {@link Redact} and {@link Limits.depth | the depth}.').summary).toBe(
      'See [Redact](#Redact) and [the depth](#Limits.depth).',
    )
    expect(read('See {@link https://example.com | RFC}.').summary).toBe('See [RFC](https://example.com).')
  })

  it('has parameters, a result, and the texts of other tags', () => {
    const comment = read('@param size - in bytes', '@returns the rest', '@throws RangeError if full', '@since 0.2.0')
    expect(comment.params).toEqual([{ name: 'size', text: 'in bytes' }])
    expect(comment.returns).toBe('the rest')
    expect(comment.tag('@throws')).toEqual(['RangeError if full'])
    expect(comment.tag('@since')).toEqual(['0.2.0'])
  })
})

describe('the facts of an option', () => {
  it.each([
    ['timeoutMillis', 'number', 'The time limit.', 'ms'],
    ['maxQueueBytes', 'number', 'The limit of the queue.', 'bytes'],
    ['width', 'number', 'The width of a line in columns.', 'columns'],
    ['keep', 'number', 'The maximum number of rotated files.', 'files'],
    ['depth', 'number', 'The maximum depth.', 'levels of nesting'],
    ['mode', 'number', 'The permissions of a new file.', undefined],
    ['path', 'string', 'The maximum number of files.', undefined],
    ['line', 'number', 'The number of its first line in the file.', undefined],
    ['dropped', 'number', 'The number of its attributes that were dropped.', 'attributes'],
  ])('include the unit of %s: %s with the text %j', (name, type, text, unit) => {
    expect(optionFacts(option(name, type), read(text)).unit).toBe(unit)
  })

  it('include the default and the version of the comment', () => {
    const facts = optionFacts(
      option('a', 'string | undefined'),
      read('An option.', '@defaultValue `x`', '@since 0.2.0'),
    )
    expect(facts).toEqual({ type: 'string', unit: undefined, defaultValue: '`x`', isRequired: false, since: '0.2.0' })
  })

  it.each([
    ['number', true],
    ["number | 'own'", true],
    ['number | ((request: Request) => number)', true],
    ['() => number', false],
    ['(request: Request) => number | string', false],
    ['Readonly<Record<string, string | number>>', false],
    ['{ readonly mode?: number | undefined; }', false],
  ])('detect whether %s accepts a number', (type, accepts) => {
    expect(acceptsNumber(type)).toBe(accepts)
  })
})

describe('the line under the title of a guide', () => {
  it('links the pages of the entry points that the guide is about', () => {
    expect(entryLinksOf('docs/guides/lint.md')).toBe('API: [`sluice/lint`](/api/lint.md)')
  })

  it('is missing on a page that is not about an entry point', () => {
    expect(entryLinksOf('docs/glossary.md')).toBeUndefined()
  })
})
