import { withoutPrototype } from '../../options/own-members.ts'
import { isPathFault, parseRedactPath, type RedactSegment } from '../../redact/path.ts'
import type { Redact, RedactOptions } from '../../redact/redact.ts'

/** Returns rules that also redact `err`, the name of the error in exported records, where they redact the member `errorKey` of a line. */
export function withErrorRules(redact: Redact, errorKey: string): Redact {
  if (errorKey === 'err') return redact
  if (Array.isArray(redact)) return withErrPaths(redact as readonly string[], errorKey)
  const options = withoutPrototype(redact as RedactOptions)
  const { paths, keys } = options
  return {
    ...options,
    ...(paths === undefined ? {} : { paths: withErrPaths(paths, errorKey) }),
    ...(typeof keys === 'object' && keys.includes(errorKey) ? { keys: [...keys, 'err'] } : {}),
  }
}

function withErrPaths(paths: readonly string[], errorKey: string): readonly string[] {
  return paths.flatMap((path) => {
    const segments = parseRedactPath(path)
    if (isPathFault(segments)) return [path]
    const [first, ...otherSegments] = segments
    if (first?.kind !== 'name' || first.name !== errorKey) return [path]
    return [path, `err${otherSegments.map(segmentText).join('')}`]
  })
}

/** Returns a segment of a path in the syntax of redaction paths. */
function segmentText(segment: RedactSegment): string {
  if (segment.kind === 'any') return '[*]'
  if (segment.kind === 'deep') return '.**'
  // Escaped, because a quoted star is a wildcard.
  return segment.name === '*' ? String.raw`["\*"]` : `[${JSON.stringify(segment.name)}]`
}
