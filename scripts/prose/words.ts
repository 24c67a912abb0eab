import type { TextlintKernelRule } from '@textlint/kernel'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Words that are not used, and what to write. */
export interface WordRule {
  readonly use: string
  readonly find: RegExp
  /** Texts in which the rule finds its words. */
  readonly wrong: readonly string[]
  /** Similar texts in which it finds nothing. */
  readonly right: readonly string[]
}

interface WordRuleText {
  readonly use: string
  readonly find: string
  readonly wrong: string[]
  readonly right?: string[]
}

/** The rules in words.yml. */
export const wordRules: readonly WordRule[] = (
  parse(readFileSync(new URL('words.yml', import.meta.url), 'utf8')) as WordRuleText[]
).map(({ use, find, wrong, right = [] }) => {
  const expression = new RegExp(`(?<!\\w)(?:${find.replaceAll(' ', '\\s+')})(?!\\w)`, 'giu')
  return { use, find: expression, wrong, right }
})

/** Reports the words of words.yml in prose. */
export const wordsRule: TextlintKernelRule = {
  ruleId: 'words',
  rule: ({ Syntax, RuleError, getSource, locator, report }) => ({
    [Syntax.Str](node) {
      const text = getSource(node)
      for (const { find, use } of wordRules) {
        for (const { 0: found, index } of text.matchAll(find)) {
          const message = `"${found.replaceAll(/\s+/g, ' ')}" → ${use}`
          report(node, new RuleError(message, { padding: locator.range([index, index + found.length]) }))
        }
      }
    },
  }),
}
