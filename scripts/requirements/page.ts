import { plain, tableOf } from '../markdown.ts'
import type { Annotation } from '../annotations/annotations.ts'
import { levels, proofsOf, tablesPath, type ProofsById, type Row, type Table } from './tables.ts'

/** Returns the text of docs/reference/opentelemetry.md. */
export function pageOf(tables: readonly Table[], annotations: readonly Annotation[]): string {
  const proofs = proofsOf(annotations)
  const sections = tables.map((table) => sectionOf(table, proofs))
  return `${[introduction, countsOf(tables, proofs), ...sections].join('\n\n')}\n`
}

const introduction = `# OpenTelemetry conformance

This page lists what the OpenTelemetry specifications require of an SDK and an exporter for logs, and the tests that prove each
requirement for this package. Its last part lists defects that were found in the official SDK for JavaScript, and the tests that
show that this package does not have them. The [reliability page](reliability.md) lists the faults that logging must survive.

\`npm run requirements\` generates this page from \`${tablesPath}\` and from the comments above the tests, which list
the ids that a test proves. **Differs** gives the reason where this package does something else. **Open** marks requirements that no
test proves yet. The level *practice* is a fact that no specification requires. *(dev.)* marks requirements with the status
Development, which can still change.`

/** Returns a table with the number of rows, tests, deviations and open rows by level. */
function countsOf(tables: readonly Table[], proofs: ProofsById): string {
  const rows = tables.flatMap((table) => table.rows)
  const lines = [...levels, undefined].map((level) => {
    const ofLevel = rows.filter((row) => row.level === level)
    const tested = ofLevel.filter(({ id }) => proofs.has(id))
    const deviations = ofLevel.filter(({ id, deviation }) => deviation !== undefined && !proofs.has(id))
    const open = ofLevel.filter((row) => row.open)
    return [level ?? 'defects', ofLevel.length, tested.length, deviations.length, open.length]
  })
  return tableOf([['level', 'rows', 'with tests', 'only with a reason', 'open'], ...lines])
}

function sectionOf({ heading, about, rows }: Table, proofs: ProofsById): string {
  const hasLevels = rows.some(({ level }) => level !== undefined)
  const head = hasLevels ? ['id', 'level', 'requirement', 'tests'] : ['id', 'defect', 'tests']
  const lines = rows.map((row) => [
    row.id,
    ...(hasLevels ? [levelOf(row)] : []),
    row.text,
    proofCell(row, proofs.get(row.id) ?? []),
  ])
  return [`## ${heading}`, ...(about === undefined ? [] : [about]), tableOf([head, ...lines])].join('\n\n')
}

function levelOf({ level, development }: Row): string {
  return `${level}${development === true ? ' (dev.)' : ''}`
}

function proofCell({ deviation, open }: Row, annotations: readonly Annotation[]): string {
  const paths = [...new Set(annotations.map(({ path }) => path))]
  const tests = paths.map((path) => {
    const titles = annotations.filter((annotation) => annotation.path === path).map(({ title }) => plain(title))
    return `[${path.slice('test/'.length)}](../../${path}): ${[...new Set(titles)].join('; ')}`
  })
  const differs = deviation === undefined ? [] : [`**Differs:** ${deviation}`]
  return [...tests, ...differs, ...(open === true ? ['**Open**'] : [])].join('<br>')
}
