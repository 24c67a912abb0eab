/**
 * Calls `look`, and returns undefined for what Node's permission model does not allow this process to look at: that is left to the
 * access itself.
 *
 * @throws any other error of `look`.
 */
export function orDenied<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') return undefined
    throw error
  }
}
