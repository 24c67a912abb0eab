import { globSync, readFileSync } from 'node:fs'
import { idsAbove, unusedLines } from './comments.ts'
import { callsIn, parseTestFile, titleOfRow, type TestCall, type TestFile } from './test-calls.ts'

/**
 * The requirements and fault rows that a test proves. They are listed in comments directly above the test, the group of tests, or
 * the row of `test.each`: `// Requirements: OTL8, D15` and `// Fault rows: 38, 39`.
 */
export interface Annotation {
  /** The test file, relative to the root of the repository. */
  readonly path: string
  /** The title, after the titles of the groups around it. `…` replaces the parts that are known only when the test runs. */
  readonly title: string
  /** Whether a group is annotated: then the title is the start of the title of every test in it. */
  readonly isGroup: boolean
  /** Ids of rows in docs/reference/opentelemetry.json. */
  readonly requirements: readonly string[]
  /** Numbers of rows in docs/reference/reliability.json. */
  readonly faultRows: readonly number[]
}

/** Returns the annotations of all test files, in the order of the files. */
export function annotationsOfTests(): Annotation[] {
  const paths = globSync('test/**/*.{test,e2e}.ts').map((path) => path.replaceAll('\\', '/'))
  return paths.toSorted().flatMap((path) => annotationsIn(path, readFileSync(path, 'utf8')))
}

/**
 * Returns the annotations in a test file. Skipped, planned and failing tests prove nothing, nor does a group without tests.
 *
 * @throws Error if an annotation is malformed, or if there is no test directly below it.
 */
export function annotationsIn(path: string, source: string): Annotation[] {
  const file = parseTestFile(path, source)
  const used = new Set<number>()
  const annotations = callsIn(file).flatMap((call) => annotationsOf(call, file, [], used))
  const [unused] = unusedLines(source, used)
  if (unused !== undefined) throw new Error(`${path}: no test is directly below "${unused}"`)
  return annotations
}

function annotationsOf(call: TestCall, file: TestFile, groups: readonly string[], used: Set<number>): Annotation[] {
  const annotationAt = (start: number, title: string): Annotation[] => {
    const ids = idsAbove(file, start, used)
    if (ids === undefined) return []
    const titles = [...groups, title].map((text) => text.replaceAll(placeholder, '…'))
    return [{ path: file.path, title: titles.join(' '), isGroup: call.isGroup, ...ids }]
  }
  const own = annotationAt(call.start, call.title)
  const rows = call.rows.flatMap((row) => annotationAt(row.start, titleOfRow(row, call.title)))
  const inside = call.inside.flatMap((child) => annotationsOf(child, file, [...groups, call.title], used))
  return call.isActive ? [...own, ...rows, ...inside] : []
}

const placeholder = /%[sdifjoOp#]|\$\w[\w.]*/g
