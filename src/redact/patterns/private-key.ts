import { minTextLengthForToken, type PatternFinder, type PatternPreset } from './text-pattern.ts'

// RFC 7468 section 2. In OpenPGP (RFC 9580 section 6.2), the label ends with `BLOCK`.
const firstLineStart = '-----BEGIN '
const firstLine = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const lastLine = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** Finds private keys, from their first line to their last. */
export const privateKeys: PatternFinder = {
  anchor: { characters: 'B', context: '(?<=-----B)', minTextLength: minTextLengthForToken },
  find({ text, startLimit }, addMatch) {
    for (let at = text.indexOf(firstLineStart); at >= 0 && at < startLimit; at = text.indexOf(firstLineStart, at + 1)) {
      firstLine.lastIndex = at
      if (!firstLine.test(text)) continue
      lastLine.lastIndex = firstLine.lastIndex
      // If the last line is missing, all remaining text may be part of the key.
      const to = lastLine.test(text) ? lastLine.lastIndex : text.length
      addMatch(at, to)
      at = to - 1
    }
  },
}

/** Private keys in PEM (RFC 7468), OpenSSH and OpenPGP formats, from their first line to their last. */
export const privateKey: PatternPreset = {
  minTextLength: minTextLengthForToken,
  lookaheadLength: 16_384,
  finders: [privateKeys],
}
