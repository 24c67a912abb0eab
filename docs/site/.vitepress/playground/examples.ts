/** The titles of the examples, by the name of their file, in the order in which they are listed. */
export const exampleTitles: Readonly<Record<string, string>> = {
  messages: 'Messages and attributes',
  levels: 'Levels and child loggers',
  errors: 'Errors with causes',
  'redact-paths': 'Redaction by path and key',
  'redact-patterns': 'Redaction of patterns in text',
  'hostile-values': 'Cycles, getters that throw, BigInt',
  'lazy-calls': 'Lazy calls',
  volume: 'Deduplication and limits',
  'custom-handler': 'A custom handler',
  'flight-recorder': 'Flight recorder',
  timers: 'Events, timers and promises',
}

/** The example that is shown first. */
export const firstExample = 'messages'

/** Returns the name of the example that the fragment of an address selects: `#example=levels`; undefined if it selects none. */
export function exampleOf(fragment: string): string | undefined {
  const [, name] = /^#example=([\w-]+)$/.exec(fragment) ?? []
  return name !== undefined && Object.hasOwn(exampleTitles, name) ? name : undefined
}
