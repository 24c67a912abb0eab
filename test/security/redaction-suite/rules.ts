import type { Logger } from '../../../src/logger/types.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { rows, type Row } from './rows.ts'

const canaryPattern = { name: 'canary', pattern: /zqCanary7f3kXy/ }

/** The kinds of rules in the suite. */
export const kinds = ['no rule', 'paths', 'keys', 'patterns'] as const
export type Kind = (typeof kinds)[number]

/** Returns the rules of one kind that redact a row, or undefined if that kind does not. */
export function rulesFor({ rules }: Row, kind: Kind): RedactOptions | undefined {
  const { always, paths, keys, pattern = [canaryPattern] } = rules
  switch (kind) {
    case 'no rule':
      return always === undefined ? undefined : {}
    case 'paths':
      return paths && { paths }
    case 'keys':
      return keys && { keys }
    default:
      return pattern === false ? undefined : { patterns: pattern }
  }
}

/** Returns the rows without options that one kind redacts, and one set of rules for all of them. */
export function rowsAndRules(kind: Kind): { readonly rows: readonly Row[]; readonly redact: RedactOptions } {
  const redactedRows = rows.filter((row) => row.options === undefined && rulesFor(row, kind) !== undefined)
  const rules = redactedRows.map((row) => rulesFor(row, kind)!)
  const paths = rules.flatMap((rule) => rule.paths ?? [])
  const keys = rules.flatMap((rule) => rule.keys ?? [])
  const redact: RedactOptions =
    kind === 'patterns' ? { patterns: ['credentials', canaryPattern] } : { paths: [...new Set(paths)], keys }
  return { rows: redactedRows, redact }
}

/** Logs all rows of a kind. */
export function logRows(log: Logger, kind: Kind): void {
  for (const { logTo } of rowsAndRules(kind).rows) logTo(log)
}
