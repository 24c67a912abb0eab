/** A secret, used in redacted values and in options for secrets. It must not occur in any output. */
export const canary = 'zqCanary7f3kXy'

const bytes = Buffer.from(canary)
const wide = Buffer.from(canary, 'utf16le')

/** Returns the Base64 forms at each offset in a group of three bytes, without the characters that depend on adjacent bytes. */
function encoded(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : shift + 1, -4),
  )
}

function escaped(prefix: string, digits: number): string {
  return Array.from(bytes, (byte) => prefix + byte.toString(16).padStart(digits, '0')).join('')
}

/** All searched forms of the secret, and its first half, which a truncation could leave. */
const forms: readonly string[] = [
  canary,
  canary.slice(0, 6),
  ...[...encoded(bytes), ...encoded(wide)].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  bytes.toString('hex'),
  wide.toString('hex'),
  wide.toString('latin1'),
  escaped('%', 2),
  escaped('\\u', 4),
  [...bytes].join(),
  [...bytes].join(', '),
  Array.from(bytes, (byte) => `{"intValue":"${byte}"}`).join(),
  canary.split('').toReversed().join(''),
]

/** Throws if a text, or bytes read as Latin-1, contain the secret in any form and case. */
export function expectNoCanary(text: string, where: string): void {
  const found = canaryIn(text)
  if (found !== undefined) throw new Error(`the secret is in ${where}: ${JSON.stringify(found)}`)
}

/** Returns the part of a text around the secret, or undefined if the text does not contain it. */
export function canaryIn(text: string): string | undefined {
  const lower = text.toLowerCase()
  const form = forms.find((form) => lower.includes(form.toLowerCase()))
  if (form === undefined) return undefined
  const at = lower.indexOf(form.toLowerCase())
  return text.slice(Math.max(0, at - 120), at + 60)
}
