/** What is indexed in place of a text that is too long. Every search finds it. */
export const marker = '~|~'
const markerTerm = `"${marker}"`
const maxTrigrams = 16
const printableRun = /[\x20-\x7e]{3,}/g

/** Returns the printable characters of ASCII in the bytes of records. Only they are searched by the index. */
export function searchableText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return text.match(printableRun)?.join('\t') ?? ''
}

/**
 * Returns an expression of FTS5 that matches every row that contains one of some texts, and perhaps others; undefined if a text has no three
 * printable characters of ASCII.
 */
export function trigramExpression(texts: readonly Buffer[]): string | undefined {
  const alternatives: string[] = [markerTerm]
  for (const text of texts) {
    const trigrams = trigramsOf(text.toString('latin1'))
    if (trigrams.length === 0) return undefined
    alternatives.push(`(${trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')})`)
  }
  return alternatives.join(' OR ')
}

function trigramsOf(text: string): string[] {
  const trigrams = new Set<string>()
  for (const [run] of text.matchAll(printableRun))
    for (let at = 0; at + 3 <= run.length && trigrams.size < maxTrigrams; at++) trigrams.add(run.slice(at, at + 3))
  return [...trigrams]
}
