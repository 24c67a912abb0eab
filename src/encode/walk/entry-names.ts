import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/** The written names of the entries of one object, such as a Map: redacted, well-formed if the format requires that, and unique. */
export class EntryNames {
  private readonly patterns: TextPatterns | undefined
  private readonly requiresWellFormed: boolean
  private readonly names = new UniqueNames()

  constructor(patterns: TextPatterns | undefined, requiresWellFormed: boolean) {
    this.patterns = patterns
    this.requiresWellFormed = requiresWellFormed
  }

  /** Returns the written name of the next entry. */
  add(key: string): string {
    return this.names.add(writableName(key, this.patterns, this.requiresWellFormed))
  }
}

/** Returns a name with pattern matches redacted, and without lone surrogates if the format requires well-formed names. */
export function writableName(key: string, patterns: TextPatterns | undefined, requiresWellFormed: boolean): string {
  const name = patterns === undefined ? key : patterns.redact(key)
  return requiresWellFormed ? name.toWellFormed() : name
}
