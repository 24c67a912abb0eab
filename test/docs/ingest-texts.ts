import { readFileSync } from 'node:fs'
import { blocksOf } from './blocks.ts'

const page = readFileSync(new URL('../../docs/guides/ingest.md', import.meta.url), 'utf8')

/** A section of the page of readers. */
export function sectionOf(section: string): string {
  const begin = page.indexOf(`\n## ${section}\n`)
  if (begin < 0) throw new Error(`there is no section ${section}`)
  const end = page.indexOf('\n## ', begin + 1)
  return page.slice(begin, end < 0 ? undefined : end)
}

/** The one text of a language in a section. `start` tells texts of one language apart. */
export function textOf(section: string, language: string, start = ''): string {
  const blocks = blocksOf(sectionOf(section))
  const found = blocks.filter((block) => block.language === language && block.text.startsWith(start))
  if (found.length !== 1) throw new Error(`${section} has ${found.length} texts of ${language}`)
  return found[0]!.text
}
