/** Flags that a query accepts: those that do not change where a search begins or what it returns. */
const acceptedFlags = /^[imsuv]*$/

/** Returns why a regular expression is rejected; undefined if it is valid. */
export function regExpProblem(source: string, flags: string): string | undefined {
  if (!acceptedFlags.test(flags))
    return `the flags of an expression are i, m, s, u and v, not "${flags}"; put a text with slashes in quotes`
  try {
    RegExp(source, flags)
    return undefined
  } catch (error) {
    const [, detail = ''] = /: ([^:]*)$/.exec(error instanceof Error ? error.message : '') ?? []
    return `this is not a valid regular expression${detail === '' ? '' : ` (${detail.toLowerCase()})`}`
  }
}
