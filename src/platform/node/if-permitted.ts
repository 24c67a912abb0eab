/**
 * Calls `read`, and returns undefined if Node's permission model denies it. The later access then reports the denial.
 *
 * @throws Any other error of `read`.
 */
export function ifPermitted<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') return undefined
    throw error
  }
}
