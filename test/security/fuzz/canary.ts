/** A secret. It stands in values that a rule covers, and in options that hold secrets; it may be in nothing that leaves. */
export const canary = 'zqCanary7f3kXy'

const bytes = Buffer.from(canary)
/** Base64 of what begins at each place of a group of three: without the characters that its neighbours decide. */
const encoded = [0, 1, 2].map((shift) =>
  Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .slice(shift === 0 ? 0 : shift + 1, -4),
)
/** All the forms by which it is looked for. JSON and percent-encoding change none of its characters. */
const forms: readonly string[] = [
  canary,
  ...encoded,
  bytes.toString('hex'),
  Buffer.from(canary, 'utf16le').toString('hex'),
  canary.split('').toReversed().join(''),
]

/** Throws where the secret is in a text, in whatever form, or in bytes read as Latin-1. */
export function expectNoCanary(text: string, where: string): void {
  const lower = text.toLowerCase()
  for (const form of forms) {
    const at = lower.indexOf(form.toLowerCase())
    if (at >= 0)
      throw new Error(`the secret is in ${where}: ${JSON.stringify(text.slice(Math.max(0, at - 120), at + 60))}`)
  }
}
