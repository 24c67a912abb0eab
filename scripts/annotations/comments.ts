/** The ids in the annotations above a test. */
export interface AnnotatedIds {
  readonly requirements: readonly string[]
  readonly faultRows: readonly number[]
}

const annotationLine = /^[ \t]*\/\/ (Requirements|Fault rows): (.*)$/

/**
 * Returns the ids in the comment lines directly above a position, or undefined if these lines contain no ids.
 *
 * @param start - the offset of a test in the source
 * @param used - receives the offsets of the annotation lines that were read
 */
export function idsAbove(
  file: { readonly path: string; readonly source: string },
  start: number,
  used: Set<number>,
): AnnotatedIds | undefined {
  const requirements: string[] = []
  const faultRows: number[] = []
  let end = file.source.lastIndexOf('\n', start - 1)
  if (file.source.slice(end + 1, start).trim() !== '') return undefined
  while (end > 0) {
    const lineStart = file.source.lastIndexOf('\n', end - 1) + 1
    const line = file.source.slice(lineStart, end)
    if (!/^[ \t]*\/\//.test(line)) break
    const [, kind, list = ''] = annotationLine.exec(line) ?? []
    if (kind !== undefined) {
      used.add(lineStart)
      const ids = list.split(', ')
      const form = kind === 'Requirements' ? /^[A-Z]+\d+$/ : /^\d+$/
      if (!ids.every((id) => form.test(id))) throw new Error(`${file.path}: "${line.trim()}" is not a list of ids`)
      if (kind === 'Requirements') requirements.push(...ids)
      else faultRows.push(...ids.map(Number))
    }
    end = lineStart - 1
  }
  return requirements.length + faultRows.length === 0 ? undefined : { requirements, faultRows }
}

/** Returns the annotation lines that no test has used. */
export function unusedLines(source: string, used: ReadonlySet<number>): string[] {
  let start = 0
  const unused: string[] = []
  for (const line of source.split('\n')) {
    if (annotationLine.test(line) && !used.has(start)) unused.push(line.trim())
    start += line.length + 1
  }
  return unused
}
