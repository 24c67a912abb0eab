import { emptyEnvelope, nameEnd, skipColors, type Envelope } from './envelope.ts'

/** The maximum number of names that are remembered. */
const maxNames = 1000

/** Unwraps lines of `kubectl logs --prefix` and of stern. */
export class PodPrefixes {
  /** The prefixes of stern that were in front of JSON. */
  private readonly known = new Set<string>()

  /** Unwraps `[pod/web-5d8/app] …`. */
  unwrapKubectl(text: string): Envelope | undefined {
    if (!text.startsWith('[pod/')) return undefined
    const end = text.indexOf('] ')
    if (end < 0 || end > 600) return undefined
    const container = text.slice(5, end)
    if (!/^[\w.-]+\/[\w.-]+$/.test(container)) return undefined
    return { ...emptyEnvelope, inner: text.slice(end + 2), container }
  }

  /**
   * Unwraps a line of stern's default template, `pod container …`, or `namespace pod container …` with `--all-namespaces`. Its colors
   * identify it. Without colors, two words can also be the start of a sentence, so the same words must have been in front of JSON before.
   */
  unwrapStern(text: string): Envelope | undefined {
    const isColored = text.charCodeAt(0) === 27
    // Most inputs are not of stern, and lines of text are not split into words then.
    if (!isColored && this.known.size === 0 && !text.includes('{"')) return undefined
    let container = ''
    let at = 0
    for (let words = 1; words <= 3; words++) {
      const wordStart = skipColors(text, at)
      const end = nameEnd(text, wordStart)
      const afterWord = skipColors(text, end)
      if (end === wordStart || text.charCodeAt(afterWord) !== 32) return undefined
      // A word that the same color does not surround is the start of the line.
      if (isColored && (wordStart === at || afterWord === end)) return undefined
      container += words === 1 ? text.slice(wordStart, end) : `/${text.slice(wordStart, end)}`
      at = afterWord + 1
      if (words === 1) continue
      if (isColored ? text.charCodeAt(at) !== 27 || words === 3 : this.isPrefix(container, text, at))
        return { ...emptyEnvelope, inner: text.slice(at), container }
    }
    return undefined
  }

  private isPrefix(container: string, text: string, end: number): boolean {
    if (this.known.has(container)) return true
    if (text.charCodeAt(end) !== 123 || text.charCodeAt(end + 1) !== 34) return false
    if (!text.trimEnd().endsWith('}')) return false
    if (this.known.size < maxNames) this.known.add(container)
    return true
  }
}
