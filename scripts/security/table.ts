import { tableOf } from '../markdown.ts'
import type { AttackClass, ClassCounts } from './classes.ts'

const start = '<!-- attack classes: written by `npm run security` -->'
const end = '<!-- end of attack classes -->'
const row = /^\| *([^|\n]+?) *\|[^|\n]*\| *([\d,]+) *\| *([\d,]+|–) *\|$/gm

/** Replaces the table of attack classes in SECURITY.md. */
export function withTable(page: string, rows: readonly (readonly [AttackClass, ClassCounts])[]): string {
  const [before, after] = around(page)
  const cells = rows.map(([{ class: name, checked }, { passed, inputs }]) => [
    name,
    checked,
    passed.toLocaleString('en-US'),
    inputs === 0 ? '–' : inputs.toLocaleString('en-US'),
  ])
  const table = tableOf([['class', 'what is checked', 'tests', 'generated inputs'], ...cells])
  return `${before}${start}\n\n${table}\n\n${end}${after}`
}

/** The counts that SECURITY.md states, by class. */
export function statedCounts(page: string): Map<string, Omit<ClassCounts, 'failed'>> {
  const [before, after] = around(page)
  const table = page.slice(before.length, page.length - after.length)
  return new Map(
    [...table.matchAll(row)].map(([, name, tests, inputs]) => [
      name!,
      { passed: numberOf(tests!), inputs: inputs === '–' ? 0 : numberOf(inputs!) },
    ]),
  )
}

/** Lists what the last run of the tests no longer supports, one sentence each. */
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

function around(page: string): [before: string, after: string] {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`SECURITY.md needs the lines "${start}" and "${end}"`)
  return [page.slice(0, from), page.slice(to + end.length)]
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''))
}
