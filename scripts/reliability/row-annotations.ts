import { bursts, sharedSinks, abruptEnds, longRows } from '../../test/faults/rows/of-processes.ts'
import { rows } from '../../test/faults/rows/rows.ts'
import type { Annotation } from '../annotations/annotations.ts'

/** Returns the annotations of the tests in test/faults that are generated from the rows in test/faults/rows. */
export function rowAnnotations(): Annotation[] {
  // The seed has no influence on the titles.
  const processRows = [...bursts, ...abruptEnds(1), ...sharedSinks, ...longRows(1)]
  return [
    ...rows.map(({ row, fault }) => annotationOf('test/faults/rows.e2e.ts', fault, row)),
    ...processRows.map(({ row, fault }) => annotationOf('test/faults/rows-of-processes.e2e.ts', `…${fault}`, row)),
  ]
}

function annotationOf(path: string, title: string, row: number): Annotation {
  return { path, title, isGroup: false, requirements: [], faultRows: [row] }
}
