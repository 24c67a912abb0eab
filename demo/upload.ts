import { createCsvParser } from './csv.ts'
import { passesLuhn } from './luhn.ts'
import { columns } from './rows.ts'
import type { Row } from './rows.ts'
import type { UploadLog } from './logs/upload-log.ts'

export interface Receipt {
  readonly rows: number
  readonly valid: number
  readonly cents: number
}

export interface UploadHandler {
  push(chunk: Buffer): void
  end(): Receipt
}

/** Creates the handler of one upload, which does the same work with every logger. Throws on other input than the expected CSV. */
export function createUploadHandler(request: number, log: UploadLog): UploadHandler {
  let rows = -1
  let valid = 0
  let cents = 0

  function handle(fields: readonly string[]): void {
    if (fields.length !== columns.length) throw new Error(`row ${rows} has ${fields.length} fields`)
    if (rows < 0) {
      if (fields.join() !== columns.join()) throw new Error('the first line does not name the columns')
      rows = 0
      return
    }
    const [name = '', email = '', password = '', card = '', amount = '', note = ''] = fields
    const row: Row = { name, email, password, card, amount, note }
    if (isValid(row)) valid++
    cents += Math.round(Number(amount) * 100)
    log.row(request, rows, row)
    rows++
  }

  const parser = createCsvParser(handle)
  return {
    push: (chunk) => parser.push(chunk),
    end() {
      parser.end()
      return { rows: Math.max(rows, 0), valid, cents }
    },
  }
}

const isValid = (row: Row): boolean =>
  passesLuhn(row.card) && row.email.includes('@') && row.password.length >= 8 && row.name !== ''
