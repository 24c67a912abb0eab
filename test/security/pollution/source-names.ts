import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Comments, which are removed before the search. */
const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** The positions of property names: after a dot, before a colon, in braces, as a method, or in quotes for functions such as `member`. */
const readPatterns = [
  /\.\s*([A-Za-z_$][\w$]*)/g,
  /([A-Za-z_$][\w$]*)\??\s*:/g,
  /[{,]\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)(?=\s*[,}=])/g,
  /^\s*(?:(?:readonly|static|protected|private|get|set|async|override)\s+)*([A-Za-z_$][\w$]*)\??[(<]/gm,
  /(["'`])([A-Za-z_$][\w$]*)\1/g,
]

/**
 * Returns every name by which a file of `src` can read or assign a property. The list also contains names of other things, but misses
 * no property.
 */
export function namesOfSource(): readonly string[] {
  const names = new Set<string>()
  for (const file of globSync('**/*.ts', { cwd: src })) {
    const code = readFileSync(src + file, 'utf8').replace(comments, '')
    for (const pattern of readPatterns) for (const found of code.matchAll(pattern)) names.add(found.at(-1)!)
  }
  return [...names].filter((name) => !(name in Object.prototype)).toSorted()
}
