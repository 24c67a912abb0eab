import { tokenText, type PatternFinder, type PatternPreset } from './text-pattern.ts'

// RFC 7468 section 2. In OpenPGP (RFC 9580 section 6.2), the label ends with `BLOCK`.
const beginKey = '-----BEGIN '
const privateKeyLine = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const endKey = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

/** Finds private keys, from their first line to their last. */
export const privateKeys: PatternFinder = {
  anchor: { at: 'B', where: '(?<=-----B)', least: tokenText },
  find({ text, end }, take) {
    for (let at = text.indexOf(beginKey); at >= 0 && at < end; at = text.indexOf(beginKey, at + 1)) {
      privateKeyLine.lastIndex = at
      if (!privateKeyLine.test(text)) continue
      endKey.lastIndex = privateKeyLine.lastIndex
      // If the last line is missing, all remaining text may be part of the key.
      const to = endKey.test(text) ? endKey.lastIndex : text.length
      take(at, to)
      at = to - 1
    }
  },
}

/** Private keys in PEM (RFC 7468), OpenSSH and OpenPGP formats, from their first line to their last. */
export const privateKey: PatternPreset = { least: tokenText, longest: 16_384, finders: [privateKeys] }
