// Puts this logger and others through the rows of test/faults/rows and leaves what it saw for `npm run reliability`. Takes some
// minutes: who hangs is waited for. Arguments: names of subjects and numbers of rows, of which the results are then made anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { inParallel } from '../test/support/processes/exits.ts'
import { runRow } from '../test/faults/harness/bench.ts'
import { ofAnyLogger } from '../test/faults/rows/of-processes.ts'
import { rows } from '../test/faults/rows/rows.ts'
import type { SubjectFacts } from '../test/faults/subjects/subject.ts'
import { peersPath, readPeers, type PeerRow, type PeerSubject } from './reliability/peers.ts'

const names = ['sluice', 'pino', 'pino-sync', 'pino-worker', 'winston', 'bunyan', 'otel']
const args = process.argv.slice(2)
const asked = names.filter((name) => args.includes(name) || !args.some((arg) => names.includes(arg)))
const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
// The seed of what is killed at random.
const common = [...rows, ...ofAnyLogger(1)].filter(({ onlyOurs }) => onlyOurs === undefined)
const able = common
  .filter(({ row }) => numbers.length === 0 || numbers.includes(row))
  .filter(({ needs }) => needs === undefined || needs.isThere())
for (const { fault, needs } of common)
  if (needs?.isThere() === false) console.error(`left out: ${fault}: ${needs.what} is missing`)

const before = readPeers()
const wrong = new Map(before?.rows.map(({ fault, wrong }) => [fault, { ...wrong }]))
await inParallel(
  2,
  asked.flatMap((name) =>
    able.map((row) => async () => {
      const found = await runRow(row, name)
      wrong.set(row.fault, { ...wrong.get(row.fault), [name]: found.map(inShort) })
      console.log(`${name}, row ${row.row}, ${row.fault}: ${found.join('; ') || 'passes'}`)
    }),
  ),
)
const table: PeerRow[] = common
  .toSorted((a, b) => a.row - b.row)
  .map(({ row, fault }) => ({ row, fault, wrong: wrong.get(fault) ?? {} }))
const subjects = await Promise.all(names.map(factsOf))
writeFileSync(peersPath, `${JSON.stringify({ node: process.versions.node, subjects, rows: table }, null, 2)}\n`)
// Others leave threads and sockets behind.
process.exit()

async function factsOf(name: string): Promise<PeerSubject> {
  if (name === 'sluice') {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    return { name, version, setup: '`fileExporter({ path })` or `fdExporter()`' }
  }
  const { facts } = (await import(`../test/faults/subjects/${name}.ts`)) as { facts: SubjectFacts }
  const manifest = JSON.parse(readFileSync(`node_modules/${facts.package}/package.json`, 'utf8')) as { version: string }
  return { name, version: manifest.version, setup: facts.setup }
}

/** Names of temporary files and numbers of processes differ from run to run. */
function inShort(what: string): string {
  const text = what
    .replace('too late: ', '')
    .replaceAll(/\/tmp\/[\w/.-]+/g, '…')
    .replaceAll(/\b\d{3,}: /g, '')
    .replace('ENOENT: no such file or directory, open', 'nothing was written to')
    .replace(' that were called written', '')
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
