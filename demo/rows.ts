import { cardOf, passwordOf } from './secrets.ts'

/** A row of the uploaded CSV. It depends only on the request and the sequence number. */
export interface Row {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly card: string
  readonly amount: string
  readonly note: string
}

export const columns = ['name', 'email', 'password', 'card', 'amount', 'note'] as const satisfies readonly (keyof Row)[]

export const contentType = 'text/csv; charset=utf-16le'

// Seven digits of a card number are the serial number: 1,000 requests of 10,000 rows.
// cspell:ignore Filhos
const maxRows = 10_000

export function rowAt(request: number, seq: number): Row {
  const serial = request * maxRows + seq
  const random = seeded(serial)
  const name = pick(names, random())
  const cents = random() % 1_000_000
  return {
    name,
    email: `customer${serial}@example.com`,
    password: passwordOf(serial),
    card: cardOf(serial),
    amount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    note: `${pick(remarks, random())} ${pick(remarks, random())}`,
  }
}

export interface Upload {
  readonly request: number
  readonly body: Buffer
  readonly cents: number
}

export function uploadOf(request: number, rows: number): Upload {
  let text = `${columns.join(',')}\r\n`
  let cents = 0
  for (let seq = 0; seq < rows; seq++) {
    const row = rowAt(request, seq)
    cents += Math.round(Number(row.amount) * 100)
    text += `${columns.map((column) => quoted(row[column])).join(',')}\r\n`
  }
  // A TextEncoder would replace lone surrogates.
  return { request, body: Buffer.from(text, 'utf16le'), cents }
}

const names = [
  'Ada Lovelace',
  'Zoë "Zed" O\'Hara',
  '李小龍',
  'Silva, Filhos & Cia.',
  'Ünal Şahin',
  '👩‍🚀 Valentina',
  'null',
]

const remarks = [
  'paid in full',
  'wrote "no", and "no" again',
  'first line\nsecond line',
  'a line as Windows ends it\r\nand another',
  'party 🎉🎉, family 👨‍👩‍👧‍👦',
  'half an emoji \ud83d',
  'the other half \ude00',
  'C:\\temp\\new\tand a tab',
  'separators \u2028 and \u2029, a bell \u0007, an escape \u001b[31m',
  '{"level":"error","message":"a forged record"}',
]

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

const pick = (from: readonly string[], random: number): string => from[random % from.length] ?? ''

// mulberry32
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
