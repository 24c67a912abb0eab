import type { SubjectName } from '../subjects/index.ts'

/** Other builds and set-ups of ours, parts of ours, and what does not log at all: none that a user could choose instead. */
const others = /^(?:sluice|baseline|part-|empty$|none$)/

/** A logger that a user could choose instead. */
export const isRival = (name: SubjectName): boolean => !others.test(name)
