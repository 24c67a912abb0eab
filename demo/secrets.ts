import { withCheckDigit } from './luhn.ts'

/**
 * Eight digits that stand in every planted secret and in nothing else, so that one search of the raw bytes finds whatever
 * leaked. Digits, because a card number has no other characters, and because JSON and URLs write them as they are.
 */
export const canary = '49990042'

/** What a redacting logger writes in the place of a secret. */
export const censorMark = '[REDACTED]'

const secretsPerRow = 2
const secretsPerRequest = 1

// The serial makes each secret unique: a leak names its row.
export const cardOf = (serial: number): string => withCheckDigit(canary + String(serial).padStart(7, '0'))

export function passwordOf(serial: number): string {
  const core = `${canary}-${serial.toString(36)}`
  switch (serial % 4) {
    case 0:
      return `correct horse ${core}`
    case 1:
      return `"${core}", she said`
    case 2:
      return `two\nlines ${core} \u{1f511}`
    default:
      return `\ud83d${core}\udd11`
  }
}

export const tokenOf = (request: number): string => `Bearer demo.${canary}.${request.toString(36)}`

export const secretsPlanted = ({ requests, rows }: { requests: number; rows: number }): number =>
  requests * (secretsPerRequest + rows * secretsPerRow)

export interface Disguise {
  readonly name: string
  readonly bytes: Buffer
}

/** The forms in which a secret could have left: as it is, two bytes a character, hexadecimal, base64. */
export function disguises(secret: string): readonly Disguise[] {
  const plain = Buffer.from(secret)
  return [
    { name: 'as it is', bytes: plain },
    { name: 'as UTF-16', bytes: Buffer.from(secret, 'utf16le') },
    { name: 'in hexadecimal', bytes: Buffer.from(plain.toString('hex')) },
    ...[0, 1, 2].map((before) => ({ name: 'in base64', bytes: base64Inside(plain, before) })),
  ]
}

// Three bytes become four characters, so what precedes a secret decides between three spellings of it. The characters at
// the borders also depend on the neighbours and are left out.
function base64Inside(secret: Buffer, bytesBefore: number): Buffer {
  const spelled = Buffer.concat([Buffer.alloc(bytesBefore), secret]).toString('base64')
  const first = Math.ceil((bytesBefore * 8) / 6)
  const end = Math.floor(((bytesBefore + secret.length) * 8) / 6)
  return Buffer.from(spelled.slice(first, end))
}
