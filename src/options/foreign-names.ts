/**
 * Returns what to write in place of a name that users bring from another library, or from another function of this package; undefined for
 * an unknown name. The parameter is a normalized name (see `normalizedName`). Valid names of options take precedence.
 */
export type ForeignNames = (name: string) => string | undefined

/**
 * A row of a table: names separated by spaces, and what to write in their place. That is a text, which follows `unknown option; ` in the
 * error, or a valid word, which `suggestionText` puts after `did you mean`.
 */
export type ForeignNameRow = readonly [names: string, answer: string]

/** Returns a name in lower case, without `-` and `_`: libraries spell names such as `maxSize` and `maxsize` differently. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

/** Creates a table, which is built when it is first used. Its rows take precedence over `inherited`. */
export function foreignNames(rows: readonly ForeignNameRow[], inherited?: ForeignNames): ForeignNames {
  let answers: ReadonlyMap<string, string> | undefined
  return (name) => {
    answers ??= new Map(
      rows.flatMap(([names, answer]) => names.split(' ').map((each) => [normalizedName(each), answer] as const)),
    )
    return answers.get(name) ?? inherited?.(name)
  }
}
