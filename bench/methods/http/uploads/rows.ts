/** How many rows each upload has. */
export const rowsEach = 1_000

/** What a customer's row says. */
export interface Row {
  readonly customer: string
  readonly email: string
  readonly amount: string
}

/** Row number `index` of an upload by customers of these names. */
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

/** V8 keeps a text with such a name at two bytes a character, and all that is cut out of it. */
export const twoByteNames = ['李小龍', 'Ünal Şahin', 'Łukasz Żak', 'Дарья Ким', '김연아']
