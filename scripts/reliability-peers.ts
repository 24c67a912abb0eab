// Runs the rows of test/faults/rows with sluice and other loggers, and saves the results for `npm run reliability`. Takes some minutes,
// because loggers that hang must time out. Arguments: names of subjects and numbers of rows, whose results are replaced.
import { readFileSync, writeFileSync } from 'node:fs'
import { inParallel } from '../test/support/processes/exits.ts'
import { runRow } from '../test/faults/harness/run-row.ts'
import { rowsForAnyLogger } from '../test/faults/rows/of-processes.ts'
import { rows } from '../test/faults/rows/rows.ts'
import type { SubjectFacts } from '../test/faults/subjects/subject.ts'
import { peersPath, readPeers, type PeerRow, type PeerSubject } from './reliability/peers.ts'

const names = ['sluice', 'pino', 'pino-sync', 'pino-worker', 'winston', 'bunyan', 'otel']
const args = process.argv.slice(2)
const selected = names.filter((name) => args.includes(name) || !args.some((arg) => names.includes(arg)))
const numbers = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
// The seed of the random kills is 1.
const common = [...rows, ...rowsForAnyLogger(1)].filter(({ onlyOursBecause: onlyOurs }) => onlyOurs === undefined)
const able = common
  .filter(({ row }) => numbers.length === 0 || numbers.includes(row))
  .filter(({ needs }) => needs === undefined || needs.isAvailable())
for (const { fault, needs } of common)
  if (needs?.isAvailable() === false) console.error(`skipped: ${fault}: ${needs.what} is missing`)

const before = readPeers()
const wrong = new Map(before?.rows.map(({ fault, wrong }) => [fault, { ...wrong }]))
await inParallel(
  2,
  selected.flatMap((name) =>
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
// Other loggers leave threads and sockets open.
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

/** Removes names of temporary files and pids, which differ between runs. */
function inShort(what: string): string {
  const text = what
    .replace('too late: ', '')
    .replaceAll(/\/tmp\/[\w/.-]+/g, '…')
    .replaceAll(/\b\d{3,}: /g, '')
    .replace('ENOENT: no such file or directory, open', 'nothing was written to')
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
