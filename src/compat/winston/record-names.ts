import { UniqueNames } from '../../record/unique-names.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Unique names for the members of one record. Formats merge the arguments of a call, so a redacted name that equals another one gets a
 * number, regardless of which argument contains it.
 */
export class RecordNames {
  private readonly patterns: TextPatterns
  private readonly unique = new UniqueNames()
  private readonly nameByKey = new Map<string, string>()

  constructor(patterns: TextPatterns) {
    this.patterns = patterns
  }

  /** Returns the name of a key, which is the same in all arguments. */
  of(key: string): string {
    let name = this.nameByKey.get(key)
    if (name === undefined) this.nameByKey.set(key, (name = this.unique.add(this.patterns.redact(key))))
    return name
  }

  /** Returns for each key of an object the name under which a walk of this object returns the member, and its name in the record. */
  ofObject(keys: readonly string[]): (readonly [key: string, walkedName: string, recordName: string])[] {
    const unique = new UniqueNames()
    return keys.map((key) => [key, unique.add(this.patterns.redact(key)), this.of(key)])
  }
}
