import type { TextlintKernelRule } from '@textlint/kernel'
import { readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A retired name in a text. */
export interface RetiredName {
  readonly name: string
  /** The name to use. */
  readonly use: string
  readonly index: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const glossaryPath = 'docs/glossary.md'
const glossary = readFileSync(root + glossaryPath, 'utf8')
/** Whole names, in their own case. */
const names = tableBelow('Retired names')
/** Words that are not used in names, in lower case. */
const words = tableBelow('Retired words in names')
const nameExpression = new RegExp(`(?<!\\w)(?:${[...names.keys()].join('|')})(?!\\w)`, 'g')

/** Reports the retired names of the glossary: in identifiers, code and prose, and as the name of the file. The changelog may have them. */
export const namesRule: TextlintKernelRule = {
  ruleId: 'names',
  rule: ({ Syntax, RuleError, getFilePath, getSource, locator, report }) => {
    const path = relative(root, getFilePath() ?? '').replaceAll('\\', '/')
    const check = (node: Parameters<typeof getSource>[0] & { value?: string }): void => {
      if (path === glossaryPath && node.range[0] > glossary.indexOf('\n## Retired names\n')) return
      if (path === 'CHANGELOG.md') return
      const source = getSource(node)
      // Inline code of Markdown has its quotes in the source only.
      const isIdentifier = node.type === 'Code' && /^\w+$/.test(node.value ?? '')
      const text = isIdentifier ? node.value! : source
      const offset = isIdentifier ? source.indexOf(text) : 0
      for (const { name, use, index } of isIdentifier ? retiredNamesOf(text) : retiredNamesIn(text)) {
        const padding = locator.range([offset + index, offset + index + name.length])
        report(node, new RuleError(`"${name}" is retired → ${use}`, { padding }))
      }
    }
    return {
      [Syntax.Document](node) {
        for (const { name, use } of retiredNamesOf(basename(path).replace(/\..*/, ''))) {
          report(node, new RuleError(`the file name "${name}" is retired → ${use}`))
        }
      },
      [Syntax.Str]: check,
      [Syntax.Code]: check,
      [Syntax.CodeBlock]: check,
    }
  },
}

/** Returns the whole names in a text that are retired. */
function retiredNamesIn(text: string): RetiredName[] {
  return Array.from(text.matchAll(nameExpression), ({ 0: name, index }) => ({ name, use: names.get(name)!, index }))
}

/** Returns the name itself if it, or a word of it, is retired. */
function retiredNamesOf(name: string): RetiredName[] {
  const retiredWord = wordsOf(name).find((word) => words.has(word)) ?? ''
  const use = names.get(name) ?? words.get(retiredWord)
  return use === undefined ? [] : [{ name, use, index: 0 }]
}

/** Returns the words of a name in camel case, snake case or with hyphens. */
function wordsOf(name: string): string[] {
  const separated = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
  return separated.toLowerCase().split(/[^a-z\d]+/)
}

/** Returns the table below a heading of the glossary: each name of the first column, and the second column. */
function tableBelow(heading: string): ReadonlyMap<string, string> {
  const section = glossary.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`))
  const rows = section?.split('\n').filter((line) => line.startsWith('| `')) ?? []
  const entries = rows.flatMap((row) => {
    const [, retired = '', use = ''] = row.split('|')
    return Array.from(retired.matchAll(/`(\w+)`/g), ([, name]) => [name!, use.replaceAll('`', '').trim()] as const)
  })
  if (entries.length === 0) throw new Error(`${glossaryPath} has no table below "${heading}"`)
  return new Map(entries)
}
