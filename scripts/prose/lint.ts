import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { namesRule } from './names.ts'
import { sourcePlugin } from './source-plugin.ts'
import { spellingRule } from './spelling.ts'
import { wordsRule } from './words.ts'

/** A word that is to be replaced. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly column: number
  /** What found it: `words`, `spelling` or `names`. */
  readonly rule: string
  readonly message: string
}

const kernel = new TextlintKernel()
const options = {
  plugins: [{ pluginId: 'markdown', plugin: markdown.default }, sourcePlugin],
  rules: [wordsRule, spellingRule, namesRule],
} satisfies Partial<TextlintKernelOptions>

/** Returns what is to be replaced in the prose and names of a Markdown, TypeScript or JavaScript file. */
export async function lint(path: string): Promise<Finding[]> {
  const ext = path.endsWith('llms.txt') ? '.md' : extname(path)
  const file = { ...options, ext, filePath: resolve(path) }
  const { messages } = await kernel.lintText(readFileSync(path, 'utf8'), file)
  return messages.map(({ loc, ruleId, message }) => {
    return { path, line: loc.start.line, column: loc.start.column, rule: ruleId, message }
  })
}
