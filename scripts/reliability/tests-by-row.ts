import type { Annotation } from '../annotations/annotations.ts'
import type { TestResult } from '../test-results.ts'

/** Test results by the number of the fault row that the tests prove. */
export type TestsByRow = ReadonlyMap<number, readonly TestResult[]>

/** Groups test results by the fault rows in the annotations of the tests. */
export function testsByRow(tests: readonly TestResult[], annotations: readonly Annotation[]): TestsByRow {
  const byPath = Map.groupBy(tests, ({ path }) => path)
  const byRow = new Map<number, Set<TestResult>>()
  for (const annotation of annotations) {
    const pattern = titlePattern(annotation)
    const proofs = (byPath.get(annotation.path) ?? []).filter(({ title }) => pattern.test(title))
    for (const row of annotation.faultRows) {
      const known = byRow.get(row) ?? new Set()
      for (const proof of proofs) known.add(proof)
      byRow.set(row, known)
    }
  }
  return new Map(Array.from(byRow, ([row, proofs]) => [row, [...proofs]]))
}

/** Returns the expression for the titles of the tests that an annotation applies to. */
function titlePattern({ title, isGroup }: Annotation): RegExp {
  const constantParts = title.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${constantParts.join('.*')}${isGroup ? ' ' : '$'}`, 's')
}
