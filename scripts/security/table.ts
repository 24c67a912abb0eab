import { tableOf } from '../markdown.ts'
import type { AttackClass, ClassCounts } from './classes.ts'

const startMarker = '<!-- attack classes: written by `npm run security` -->'
const endMarker = '<!-- end of attack classes -->'
const rowPattern = /^\| *([^|\n]+?) *\|[^|\n]*\| *([\d,]+) *\| *([\d,]+|–) *\|$/gm

/** Returns the text of SECURITY.md with a new table of attack classes. */
export function withTable(page: string, rows: readonly (readonly [AttackClass, ClassCounts])[]): string {
  const [before, after] = splitAtMarkers(page)
  const cells = rows.map(([{ class: name, checked }, { passed, inputs }]) => [
    name,
    checked,
    passed.toLocaleString('en-US'),
    inputs === 0 ? '–' : inputs.toLocaleString('en-US'),
  ])
  const table = tableOf([['class', 'what is checked', 'tests', 'generated inputs'], ...cells])
  return `${before}${startMarker}\n\n${table}\n\n${endMarker}${after}`
}

/** Returns the counts that SECURITY.md states, by class. */
export function statedCounts(page: string): Map<string, Omit<ClassCounts, 'failed'>> {
  const [before, after] = splitAtMarkers(page)
  const table = page.slice(before.length, page.length - after.length)
  return new Map(
    [...table.matchAll(rowPattern)].map(([, name, tests, inputs]) => [
      name!,
      { passed: numberOf(tests!), inputs: inputs === '–' ? 0 : numberOf(inputs!) },
    ]),
  )
}

/** Returns the claims that the last run of the tests does not support, one sentence each. */
export function faultsOf(
  stated: ReadonlyMap<string, Omit<ClassCounts, 'failed'>>,
  rows: readonly (readonly [AttackClass, ClassCounts])[],
): string[] {
  const names = rows.map(([{ class: name }]) => name)
  return [
    ...[...stated.keys()].filter((name) => !names.includes(name)).map((name) => `"${name}" is not a class`),
    ...rows.flatMap(([{ class: name }, { passed, failed, inputs }]) => {
      const claim = stated.get(name)
      if (claim === undefined) return [`SECURITY.md has no row for "${name}"`]
      return [
        ...(failed > 0 ? [`"${name}": ${failed} tests failed`] : []),
        ...(passed < claim.passed ? [`"${name}": ${passed} tests passed, SECURITY.md states ${claim.passed}`] : []),
        ...(inputs < claim.inputs ? [`"${name}": ${inputs} inputs checked, SECURITY.md states ${claim.inputs}`] : []),
        ...(passed === 0 ? [`"${name}": no test passed`] : []),
      ]
    }),
  ]
}

/** Returns the text before and after the table, without the markers. */
function splitAtMarkers(page: string): [before: string, after: string] {
  const from = page.indexOf(startMarker)
  const to = page.indexOf(endMarker)
  if (from < 0 || to < from) throw new Error(`SECURITY.md needs the lines "${startMarker}" and "${endMarker}"`)
  return [page.slice(0, from), page.slice(to + endMarker.length)]
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''))
}
