/** Returns a short description of a thrown value, which can be anything, for messages. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error
}
