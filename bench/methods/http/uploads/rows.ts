/** The number of rows of each upload. */
export const rowsEach = 1_000

/** A row of the CSV. */
export interface Row {
  readonly customer: string
  readonly email: string
  readonly amount: string
}

/** Returns the row at `index` with one of the names. */
export function rowAt(names: readonly string[], index: number): Row {
  const cents = (index * 7_919) % 100_000
  return {
    customer: `${names[index % names.length]} ${index}`,
    email: `customer${100_000 + index}@example.com`,
    amount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
  }
}

export function csvOf(names: readonly string[]): string {
  const rows = Array.from({ length: rowsEach }, (_, index) => Object.values(rowAt(names, index)).join(','))
  return `customer,email,amount\n${rows.join('\n')}\n`
}

export const asciiNames = ['Ada Lovelace', 'Grace Hopper', 'Barbara Liskov', 'Frances Allen', 'Radia Perlman']

/** V8 stores a text with such a name, and all slices of it, as two bytes per character. */
export const twoByteNames = ['李小龍', 'Ünal Şahin', 'Łukasz Żak', 'Дарья Ким', '김연아']
