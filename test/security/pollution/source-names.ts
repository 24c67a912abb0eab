import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Comments, which name no property. */
const comments = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm

/** How code names a property: behind a dot, in front of a colon, in braces, as a method, or in quotes for functions such as `member`. */
const places = [
  /\.\s*([A-Za-z_$][\w$]*)/g,
  /([A-Za-z_$][\w$]*)\??\s*:/g,
  /[{,]\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)(?=\s*[,}=])/g,
  /^\s*(?:(?:readonly|static|protected|private|get|set|async|override)\s+)*([A-Za-z_$][\w$]*)\??[(<]/gm,
  /(["'`])([A-Za-z_$][\w$]*)\1/g,
]

/**
 * Returns every name by which a file of `src` may read or assign a property. The list has names of other things as well; it lacks
 * none, and has a new one as soon as the source has it.
 */
export function namesOfSource(): readonly string[] {
  const names = new Set<string>()
  for (const file of globSync('**/*.ts', { cwd: src })) {
    const code = readFileSync(src + file, 'utf8').replace(comments, '')
    for (const place of places) for (const found of code.matchAll(place)) names.add(found.at(-1)!)
  }
  return [...names].filter((name) => !(name in Object.prototype)).toSorted()
}
