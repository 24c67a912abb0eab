import type { Row } from './rows.ts'

/** What an upload is answered with. */
export interface Receipt {
  readonly rows: number
  readonly cents: number
  /** Out of the work on each row: whoever leaves work out gives another answer. */
  readonly checksum: number
}

/** How often each row is mixed into the checksum: with the parsing this is some 4 µs a row on a machine of 2025. */
const mixings = 3_800

/** The work of the server, without HTTP: the same for all, whatever `onRow` does. Throws on what is not this CSV. */
export function handleUpload(text: string, onRow: (index: number, row: Row) => void): Receipt {
  let rows = 0
  let cents = 0
  let checksum = 0
  for (let start = text.indexOf('\n') + 1; start < text.length;) {
    const end = text.indexOf('\n', start)
    if (end < 0) throw new Error(`row ${rows} has no end`)
    const [customer, email, amount] = text.slice(start, end).split(',')
    if (customer === undefined || email === undefined || amount === undefined)
      throw new Error(`row ${rows} has less than three fields`)
    cents += Math.round(Number(amount) * 100)
    checksum = mixed(checksum + customer.length + email.charCodeAt(email.length - 1) + cents)
    onRow(rows, { customer, email, amount })
    rows++
    start = end + 1
  }
  return { rows, cents, checksum }
}

function mixed(state: number): number {
  for (let i = 0; i < mixings; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  return state
}
