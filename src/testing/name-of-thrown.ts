/** What was thrown, in a sentence about it. It may be anything. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error
}
