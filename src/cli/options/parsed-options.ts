import type { OptionDefinition, OptionName } from './definition.ts'

/** The options of one run of the program, with their values as text. */
export class ParsedOptions {
  readonly #values = new Map<string, string[]>()

  /** Adds an occurrence of an option. The last one counts, unless the option is repeatable. */
  add({ name, isRepeatable }: OptionDefinition, value = ''): void {
    const earlier = this.#values.get(name)
    if (earlier !== undefined && isRepeatable === true) earlier.push(value)
    else this.#values.set(name, [value])
  }

  /** Returns whether the option is set. */
  has(name: OptionName): boolean {
    return this.#values.has(name)
  }

  /** Returns the value of an option; undefined if it is not set. */
  value(name: OptionName): string | undefined {
    return this.#values.get(name)?.at(-1)
  }

  /** Returns the values of all occurrences of an option. */
  values(name: OptionName): readonly string[] {
    return this.#values.get(name) ?? []
  }

  /** Returns the parts of a list that is separated by commas, of all occurrences of an option. */
  list(name: OptionName): readonly string[] {
    return this.values(name)
      .flatMap((value) => value.split(',').map((part) => part.trim()))
      .filter((part) => part !== '')
  }
}
