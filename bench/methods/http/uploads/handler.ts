import type { Row } from './rows.ts'

/** The response to an upload. */
export interface Receipt {
  readonly rows: number
  readonly cents: number
  /** A checksum of all rows, which proves that the work was done. */
  readonly checksum: number
}

/** How often each row is hashed: with the parsing this takes about 4 µs per row on a machine of 2025. */
const checksumRounds = 3_800

/** Creates the handler of an upload, which is the same for all subjects. Throws on other input than the expected CSV. */
export function handleUpload(text: string, onRow: (index: number, row: Row) => void): Receipt {
  let rows = 0
  let cents = 0
  let checksum = 0
  for (let start = text.indexOf('\n') + 1; start < text.length;) {
    const end = text.indexOf('\n', start)
    if (end < 0) throw new Error(`row ${rows} has no end`)
    const [customer, email, amount] = text.slice(start, end).split(',')
    if (customer === undefined || email === undefined || amount === undefined)
      throw new Error(`row ${rows} has fewer than three fields`)
    cents += Math.round(Number(amount) * 100)
    checksum = mixed(checksum + customer.length + email.charCodeAt(email.length - 1) + cents)
    onRow(rows, { customer, email, amount })
    rows++
    start = end + 1
  }
  return { rows, cents, checksum }
}

function mixed(state: number): number {
  for (let i = 0; i < checksumRounds; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  return state
}
