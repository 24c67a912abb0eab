import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { UniqueNames } from '../../record/unique-names.ts'

/** The names of entries as they may be written: redacted, and well-formed where the format needs that. They stay different. */
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

/** A name without what patterns find, and without halves of surrogate pairs where the format has no form for them. */
export function writableName(key: string, patterns: TextPatterns | undefined, wellFormed: boolean): string {
  const name = patterns === undefined ? key : patterns.redacted(key)
  return wellFormed ? name.toWellFormed() : name
}
