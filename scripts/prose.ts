// Checks the prose and the names of the files that are given, else of all files of the repository: spelling, the words of
// prose/words.yml, and the retired names of docs/glossary.md.
import { execFileSync } from 'node:child_process'
import { lint } from './prose/lint.ts'

const paths = process.argv.length > 2 ? process.argv.slice(2) : filesOfRepository()
const findings = (await Promise.all(paths.map(lint))).flat()
for (const { path, line, column, rule, message } of findings)
  console.log(`${path}:${line}:${column}: ${rule}: ${message}`)
console.log(`${findings.length} findings in ${paths.length} files`)
process.exitCode = findings.length === 0 ? 0 : 1

function filesOfRepository(): string[] {
  const patterns = ['*.md', 'llms.txt', '*.ts', '*.js', '*.mjs', '*.cjs', '*.jsx', ':!docs/api']
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    encoding: 'utf8',
  })
  return output.split('\n').filter((path) => path !== '')
}
