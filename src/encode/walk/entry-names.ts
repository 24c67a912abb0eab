import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/** The written names of entries: redacted, well-formed if the format requires that, and unique. */
export class EntryNames {
  private readonly patterns: TextPatterns | undefined
  private readonly wellFormed: boolean
  private readonly names = new UniqueNames()

  constructor(patterns: TextPatterns | undefined, wellFormed: boolean) {
    this.patterns = patterns
    this.wellFormed = wellFormed
  }

  of(key: string): string {
    return this.names.add(writableName(key, this.patterns, this.wellFormed))
  }
}

/** Returns a name with pattern matches redacted, and without lone surrogates if the format requires well-formed names. */
export function writableName(key: string, patterns: TextPatterns | undefined, wellFormed: boolean): string {
  const name = patterns === undefined ? key : patterns.redacted(key)
  return wellFormed ? name.toWellFormed() : name
}
