// Writes the pages of the API, one for each entry point, to docs/site/generated/api/ or to the folder of the first argument.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readApiIndex } from './api-index.ts'
import { apiEntries } from './entries.ts'
import { entryPage } from './entry-page.ts'
import { writeModels } from './models.ts'
import { typeLinks } from './type-links.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const folder = process.argv[2] ?? fileURLToPath(new URL('../generated/api', import.meta.url))

writeModels(repository)
const index = readApiIndex(repository)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const entry of apiEntries) writeFileSync(`${folder}/${entry.page}.md`, await entryPage(index, entry))
const links = apiEntries.map((entry) => [entry.page, typeLinks(index, entry)] as const)
writeFileSync(`${folder}/type-links.json`, JSON.stringify(Object.fromEntries(links)))
