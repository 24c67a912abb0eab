/** Returns a count with its noun in the singular or plural: `1 record`, `2 records`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}

/** Returns the verb for a count: `is` or `are`. */
export function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** Returns the verb for a count in the past: `was` or `were`. */
export function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were'
}

/** Returns a number of lost records with the verb: `1 record is lost`, `2 records are lost`. */
export function lostRecordsText(count: number): string {
  return `${counted(count, 'record')} ${isOrAre(count)} lost`
}
