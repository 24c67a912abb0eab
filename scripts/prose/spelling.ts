import type { TextlintKernelRule } from '@textlint/kernel'
import { loadConfig, spellCheckDocument } from 'cspell-lib'
import { fileURLToPath, pathToFileURL } from 'node:url'

const settings = loadConfig(fileURLToPath(new URL('../../cspell.json', import.meta.url)))

/** Reports misspelled words in prose and in identifiers. */
export const spellingRule: TextlintKernelRule = {
  ruleId: 'spelling',
  rule: ({ Syntax, RuleError, getFilePath, getSource, locator, report }) => {
    // The text of the whole file is checked at once: each check has a cost of its own.
    let characters: string[] = []
    const keep = (text: string, start: number): void => {
      for (let i = 0; i < text.length; i++) characters[start + i] = text[i]!
    }
    return {
      [Syntax.Document](node) {
        // Line breaks remain, because a comment with settings for cspell ends with its line.
        characters = getSource(node).replaceAll(/[^\n]/g, ' ').split('')
      },
      [Syntax.Str](node) {
        keep(getSource(node), node.range[0])
      },
      [Syntax.Code](node) {
        if (/^\w+$/.test(getSource(node))) keep(getSource(node), node.range[0])
      },
      async [Syntax.DocumentExit](node) {
        for (const { text, offset, suggestions = [] } of await misspellings(getFilePath() ?? '', characters.join(''))) {
          const message = `"${text}" is misspelled → ${suggestions.slice(0, 3).join(', ') || 'scripts/prose/dictionary.txt'}`
          report(node, new RuleError(message, { padding: locator.range([offset, offset + text.length]) }))
        }
      },
    }
  },
}

async function misspellings(
  path: string,
  text: string,
): Promise<{ text: string; offset: number; suggestions?: string[] }[]> {
  const document = { uri: pathToFileURL(path).href, text, languageId: 'plaintext', locale: 'en-US' }
  const { issues, errors } = await spellCheckDocument(
    document,
    { noConfigSearch: true, generateSuggestions: true, numSuggestions: 3 },
    await settings,
  )
  if (errors !== undefined && errors.length > 0) throw new AggregateError(errors, 'spelling was not checked')
  return issues.map(({ text, offset, suggestions }) => ({ text, offset, suggestions: suggestions ?? [] }))
}
