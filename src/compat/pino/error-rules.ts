import { ownCopy } from '../../options/own-members.ts'
import { isFault, parseRedactPath, type RedactSegment } from '../../redact/path.ts'
import type { Redact, RedactOptions } from '../../redact/redact.ts'

/** Copies rules for `errorKey` to `err`, the name of the error in OpenTelemetry log records. */
export function withErrorRules(redact: Redact, errorKey: string): Redact {
  if (errorKey === 'err') return redact
  if (Array.isArray(redact)) return withPaths(redact as readonly string[], errorKey)
  const options = ownCopy(redact as RedactOptions)
  const { paths, keys } = options
  return {
    ...options,
    ...(paths === undefined ? {} : { paths: withPaths(paths, errorKey) }),
    ...(typeof keys === 'object' && keys.includes(errorKey) ? { keys: [...keys, 'err'] } : {}),
  }
}

function withPaths(paths: readonly string[], errorKey: string): readonly string[] {
  return paths.flatMap((path) => {
    const segments = parseRedactPath(path)
    if (isFault(segments)) return [path]
    const [first, ...others] = segments
    if (first?.kind !== 'name' || first.name !== errorKey) return [path]
    return [path, `err${others.map(segmentText).join('')}`]
  })
}

function segmentText(segment: RedactSegment): string {
  if (segment.kind === 'any') return '[*]'
  if (segment.kind === 'deep') return '.**'
  // Escaped, because a quoted star is a wildcard.
  return segment.name === '*' ? String.raw`["\*"]` : `[${JSON.stringify(segment.name)}]`
}
