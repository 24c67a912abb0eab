import type { TextPatterns } from '../rules/patterns/text-patterns.ts'

/** The names of entries without what patterns find: what was different stays so. */
export class EntryNames {
  private readonly patterns: TextPatterns
  private readonly taken = new Set<string>()

  constructor(patterns: TextPatterns) {
    this.patterns = patterns
  }

  of(key: string): string {
    const name = this.patterns.redacted(key)
    let free = name
    for (let number = 2; this.taken.has(free); number++) free = `${name} ${number}`
    this.taken.add(free)
    return free
  }
}
