/** Returns whether a rule redacts the member with this name. Never throws. */
export type KeyTest = (key: string) => boolean

/** How much of a key is tested by a regular expression, in UTF-16 units. */
export const testedKeyLength = 256
