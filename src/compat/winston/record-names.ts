import { UniqueNames } from '../../record/unique-names.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * The names of members of one record, in which its arguments are merged by formats: a name that redaction makes equal to another gets a
 * number, whichever argument has it.
 */
export class RecordNames {
  private readonly patterns: TextPatterns
  private readonly unique = new UniqueNames()
  private readonly byKey = new Map<string, string>()

  constructor(patterns: TextPatterns) {
    this.patterns = patterns
  }

  /** Returns the name of a key: the same one in each argument. */
  of(key: string): string {
    let name = this.byKey.get(key)
    if (name === undefined) this.byKey.set(key, (name = this.unique.add(this.patterns.redacted(key))))
    return name
  }

  /** Returns for each key of an object its name where the object was redacted by itself, and its name in the record. */
  ofObject(keys: readonly string[]): (readonly [key: string, own: string, name: string])[] {
    const unique = new UniqueNames()
    return keys.map((key) => [key, unique.add(this.patterns.redacted(key)), this.of(key)])
  }
}
