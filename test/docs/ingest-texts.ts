import { readFileSync } from 'node:fs'
import { blocksOf } from './blocks.ts'

const page = readFileSync(new URL('../../docs/guides/ingest.md', import.meta.url), 'utf8')

/** Returns a section of the page. */
export function sectionOf(section: string): string {
  const begin = page.indexOf(`\n## ${section}\n`)
  if (begin < 0) throw new Error(`there is no section ${section}`)
  const end = page.indexOf('\n## ', begin + 1)
  return page.slice(begin, end < 0 ? undefined : end)
}

/** Returns the only block of a language in a section. `start` distinguishes blocks of one language. */
export function textOf(section: string, language: string, start = ''): string {
  const blocks = blocksOf(sectionOf(section))
  const found = blocks.filter((block) => block.language === language && block.text.startsWith(start))
  if (found.length !== 1) throw new Error(`${section} has ${found.length} blocks of ${language}`)
  return found[0]!.text
}
