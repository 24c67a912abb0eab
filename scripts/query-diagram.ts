// Draws the grammar in docs/reference/query-language.md as railroad diagrams, in docs/pictures/query-language.svg.
//   node scripts/query-diagram.ts --update  writes the picture
//   node scripts/query-diagram.ts           fails if it is not up to date
import { readFileSync, writeFileSync } from 'node:fs'
import { parseGrammar } from './query-diagram/grammar.ts'
import { grammarPicture } from './query-diagram/picture.ts'

const page = readFileSync(new URL('../docs/reference/query-language.md', import.meta.url), 'utf8')
const file = new URL('../docs/pictures/query-language.svg', import.meta.url)

const [, grammar] = /```ebnf\n([^]*?)```/.exec(page) ?? []
if (grammar === undefined) throw new Error('docs/reference/query-language.md has no block in the language ebnf')
const picture = grammarPicture(parseGrammar(grammar), 'Railroad diagrams of the grammar of queries')

if (process.argv[2] === '--update') writeFileSync(file, picture)
else if (readFileSync(file, 'utf8') !== picture) {
  console.error('docs/pictures/query-language.svg is not up to date; run node scripts/query-diagram.ts --update')
  process.exitCode = 1
}
