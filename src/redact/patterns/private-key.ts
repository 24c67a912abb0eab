import { tokenText, type PatternFinder, type PatternPreset } from './text-pattern.ts'

/** RFC 7468 section 2; of OpenPGP, RFC 9580 section 6.2, it ends in `BLOCK`. */
const beginKey = '-----BEGIN '
const privateKeyLine = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const endKey = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g

export const privateKeys: PatternFinder = {
  anchor: { at: 'B', where: '(?<=-----B)', least: tokenText },
  find({ text, end }, take) {
    for (let at = text.indexOf(beginKey); at >= 0 && at < end; at = text.indexOf(beginKey, at + 1)) {
      privateKeyLine.lastIndex = at
      if (!privateKeyLine.test(text)) continue
      endKey.lastIndex = privateKeyLine.lastIndex
      // Without an end, all that comes may be key.
      const to = endKey.test(text) ? endKey.lastIndex : text.length
      take(at, to)
      at = to - 1
    }
  },
}

/** Private keys in PEM (RFC 7468), of OpenSSH and of OpenPGP, from their first line to their last. */
export const privateKey: PatternPreset = { least: tokenText, longest: 16_384, finders: [privateKeys] }
