import { member } from '../options/own-members.ts'
import type { OnDiagnostic } from '../options/configuration-error.ts'

/**
 * The start of a path that addresses the attributes of a record or of its resource. `body.`, `message.` and `resource.` are not matched,
 * because attributes often have these names.
 */
const ofRecord = /^\s*(resource\s*\.\s*)?attributes\s*(?:\.|(?=\[))/

/**
 * Reports paths that begin with `attributes` or `resource.attributes`. They are valid, because an attribute can have that name, but
 * usually match nothing. In brackets such a name is not reported.
 */
export function reportMisplacedPaths(redact: object | undefined, reportDiagnostic: OnDiagnostic): void {
  const paths = pathsOf(redact)
  const hints = paths.flatMap((path) => (typeof path === 'string' ? hintOf(path) : []))
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

function hintOf(path: string): string[] {
  const found = ofRecord.exec(path)
  if (found === null) return []
  const first = found[1] === undefined ? 'attributes' : 'resource'
  const meant =
    found[1] === undefined
      ? `paths are relative to the attributes; write ${path.slice(found[0].length).trim()}`
      : 'paths do not redact the resource; use patterns'
  return [
    `the redact path ${path.trim()} selects an attribute "${first}", but ${meant}, or ["${first}"] for that attribute`,
  ]
}
