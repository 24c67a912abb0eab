/** A secret. It stands in values that a rule covers, and in options that hold secrets; it may be in nothing that leaves. */
export const canary = 'zqCanary7f3kXy'

const bytes = Buffer.from(canary)
const wide = Buffer.from(canary, 'utf16le')

/** Base64 of what begins at each place of a group of three: without the characters that its neighbours decide. */
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

/** All the forms by which it is looked for, and a half of it, which a cut could leave. */
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

/** Throws where the secret is in a text, in whatever form and case, or in bytes read as Latin-1. */
export function expectNoCanary(text: string, where: string): void {
  const found = canaryIn(text)
  if (found !== undefined) throw new Error(`the secret is in ${where}: ${JSON.stringify(found)}`)
}

/** The part of a text around the secret; undefined where it is not in it. */
export function canaryIn(text: string): string | undefined {
  const lower = text.toLowerCase()
  const form = forms.find((form) => lower.includes(form.toLowerCase()))
  if (form === undefined) return undefined
  const at = lower.indexOf(form.toLowerCase())
  return text.slice(Math.max(0, at - 120), at + 60)
}
