import { member } from '../options/own-members.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/**
 * The start of a path that seems to address the attributes of a record or of its resource. `body.`, `message.` and `resource.` are not
 * matched, because attributes often have these names.
 */
const recordPathStart = /^\s*(resource\s*\.\s*)?attributes\s*(?:\.|(?=\[))/

/**
 * Reports paths that begin with `attributes` or `resource.attributes`. They are valid, because an attribute can have the name `attributes`
 * or `resource`, but usually match nothing. A path that begins with such a name in brackets is not reported.
 */
export function reportMisplacedPaths(redact: object | undefined, reportDiagnostic: OnDiagnostic): void {
  const paths = pathsOf(redact)
  const hints = paths.flatMap((path) => (typeof path === 'string' ? hintsFor(path) : []))
  if (hints.length > 0) reportDiagnostic({ code: 'SLUICE_PATH_MISPLACED', message: hints.join('; ') })
}

function pathsOf(redact: object | undefined): unknown[] {
  try {
    const paths: unknown = Array.isArray(redact) ? redact : redact && member(redact as { paths?: unknown }, 'paths')
    return Array.isArray(paths) ? [...(paths as unknown[])] : []
  } catch {
    return [] // a proxy that throws
  }
}

/** Returns the hint for a path that is reported, otherwise an empty array. */
function hintsFor(path: string): string[] {
  const match = recordPathStart.exec(path)
  if (match === null) return []
  const firstName = match[1] === undefined ? 'attributes' : 'resource'
  const advice =
    match[1] === undefined
      ? `paths are relative to the attributes; write ${path.slice(match[0].length).trim()}`
      : 'paths do not redact the resource; use patterns'
  return [
    `the redact path ${path.trim()} selects an attribute "${firstName}", but ${advice}, or ["${firstName}"] for that attribute`,
  ]
}
