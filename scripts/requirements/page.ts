import { plain, tableOf } from '../markdown.ts'
import type { Claim } from './claims.ts'
import { levels, proofsOf, tablesPath, type Row, type Table } from './tables.ts'

/** The page docs/reference/opentelemetry.md. */
export function pageOf(tables: readonly Table[], claims: readonly Claim[]): string {
  const proofs = proofsOf(tables, claims)
  const sections = tables.map((table) => sectionOf(table, proofs))
  return `${[introduction, countsOf(tables, proofs), ...sections].join('\n\n')}\n`
}

const introduction = `# OpenTelemetry

What the specifications of OpenTelemetry ask of an SDK and an exporter for logs, and which tests hold this package to it. Then
the defects that the official SDK for JavaScript was found to have. The faults that a log has to survive have
[a page of their own](reliability.md).

This page is written by \`npm run requirements\`, from \`${tablesPath}\` and from the titles of the tests: a test that
proves something names its id. Where we do something else, the reason stands behind **Differs**. **Open** is what no test
proves yet. A level of *practice* is a fact that no specification insists on; *dev.* is what a specification may still
change.`

/** How many rows of each level have what. */
function countsOf(tables: readonly Table[], proofs: ReadonlyMap<string, readonly Claim[]>): string {
  const rows = tables.flatMap((table) => table.rows)
  const lines = [...levels, undefined].map((level) => {
    const some = rows.filter((row) => row.level === level)
    const tested = some.filter(({ id }) => proofs.has(id))
    const argued = some.filter(({ id, deviation }) => deviation !== undefined && !proofs.has(id))
    const open = some.filter((row) => row.open)
    return [level ?? 'defects', some.length, tested.length, argued.length, open.length]
  })
  return tableOf([['level', 'rows', 'with tests', 'with a reason alone', 'open'], ...lines])
}

function sectionOf({ heading, about, rows }: Table, proofs: ReadonlyMap<string, readonly Claim[]>): string {
  const leveled = rows.some(({ level }) => level !== undefined)
  const head = leveled ? ['id', 'level', 'what is asked', 'held by'] : ['id', 'what it is', 'held by']
  const lines = rows.map((row) => [
    row.id,
    ...(leveled ? [levelOf(row)] : []),
    row.text,
    heldBy(row, proofs.get(row.id) ?? []),
  ])
  return [`## ${heading}`, ...(about === undefined ? [] : [about]), tableOf([head, ...lines])].join('\n\n')
}

function levelOf({ level, development }: Row): string {
  return `${level}${development === true ? ' (dev.)' : ''}`
}

function heldBy({ deviation, open }: Row, claims: readonly Claim[]): string {
  const paths = [...new Set(claims.map(({ path }) => path))]
  const tests = paths.map((path) => {
    const sentences = claims.filter((claim) => claim.path === path).map(({ sentence }) => plain(sentence))
    return `[${path.slice('test/'.length)}](../../${path}): ${[...new Set(sentences)].join('; ')}`
  })
  const differs = deviation === undefined ? [] : [`**Differs:** ${deviation}`]
  return [...tests, ...differs, ...(open === true ? ['**Open**'] : [])].join('<br>')
}
