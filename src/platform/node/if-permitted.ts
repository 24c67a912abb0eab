/**
 * Calls `read`, which reads the state of a file. Returns undefined if Node's permission model denies that: the access that follows
 * then throws the denial.
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
