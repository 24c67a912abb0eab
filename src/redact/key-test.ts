/** A test of a member's name. Never throws. */
export type KeyTest = (key: string) => boolean

/**
 * The maximum number of UTF-16 units of a key that a regular expression or a key preset tests. Of a longer key, regular expressions test
 * the beginning and key presets the end.
 */
export const maxTestedKeyLength = 256
