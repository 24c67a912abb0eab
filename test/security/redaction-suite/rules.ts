import type { RedactOptions } from '../../../src/rules/redact.ts'
import type { Row } from './rows.ts'

/** The kinds of rules, as the suite gives them to a logger. */
export const kinds = ['no rule', 'paths', 'keys', 'patterns'] as const
export type Kind = (typeof kinds)[number]

/** The rules of one kind that cover a row; undefined where that kind does not. */
export function rulesFor({ covers }: Row, kind: Kind): RedactOptions | undefined {
  const { always, paths, keys, pattern = [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] } = covers
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
