// Checks that docs/reference/command-line-options.md matches the option table of `sluice`. With --update it writes the page.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { referencePage } from '../src/cli/help/reference-page.ts'

const path = 'docs/reference/command-line-options.md'
const { stdout: text } = spawnSync('oxfmt', ['--stdin-filepath', path], { input: referencePage(), encoding: 'utf8' })

if (process.argv.includes('--update')) writeFileSync(path, text)
if (readFileSync(path, 'utf8') !== text) {
  console.error(`${path} differs from the option table: run \`npm run command-line\``)
  process.exitCode = 1
}
