import type { SubjectName } from '../subjects/index.ts'

/** Other builds and configurations of sluice, parts of it, and programs without logging. */
const nonRivals = /^(?:sluice|baseline|part-|empty$|none$)/

/** Returns whether a subject is another logger that users could choose. */
export const isRival = (name: SubjectName): boolean => !nonRivals.test(name)
