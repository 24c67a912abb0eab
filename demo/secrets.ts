import { withCheckDigit } from './luhn.ts'

/**
 * Eight digits that occur in every planted secret and nowhere else, so that one search of the raw bytes finds every leak. Digits,
 * because a card number has no other characters, and JSON and URLs do not escape them.
 */
export const canary = '49990042'

/** The text that replaces a redacted secret. */
export const censorMark = '[REDACTED]'

const secretsPerRow = 2
const secretsPerRequest = 1

// The serial number makes each secret unique and identifies its row.
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

export interface EncodedForm {
  readonly name: string
  readonly bytes: Buffer
}

/** Returns the encodings in which a secret could be written: plain, UTF-16, hexadecimal and base64. */
export function encodedForms(secret: string): readonly EncodedForm[] {
  const plain = Buffer.from(secret)
  return [
    { name: 'plain', bytes: plain },
    { name: 'UTF-16', bytes: Buffer.from(secret, 'utf16le') },
    { name: 'hexadecimal', bytes: Buffer.from(plain.toString('hex')) },
    ...[0, 1, 2].map((before) => ({ name: 'base64', bytes: base64Inside(plain, before) })),
  ]
}

// Three bytes become four characters, so a secret has three encodings, depending on what precedes it. The characters at its
// boundaries also depend on the adjacent bytes and are omitted.
function base64Inside(secret: Buffer, bytesBefore: number): Buffer {
  const spelled = Buffer.concat([Buffer.alloc(bytesBefore), secret]).toString('base64')
  const first = Math.ceil((bytesBefore * 8) / 6)
  const end = Math.floor(((bytesBefore + secret.length) * 8) / 6)
  return Buffer.from(spelled.slice(first, end))
}
