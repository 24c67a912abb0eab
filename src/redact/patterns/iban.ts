import type { PatternPreset } from './text-pattern.ts'

/**
 * International bank account numbers (ISO 13616-1) with correct check digits (ISO 7064, modulo 97), contiguous or in groups separated by
 * blanks or hyphens, of the countries and lengths in the IBAN registry.
 */
export const iban: PatternPreset = {
  minTextLength: 15,
  lookaheadLength: 72,
  finders: [
    {
      anchor: {
        characters: String.raw`\d`,
        context: String.raw`(?<=(?<![A-Za-z\d])[A-Za-z]{2}\d)\d[ \u00a0\u202f-]?[A-Za-z\d]{4}`,
        minTextLength: 15,
      },
      find({ text, startLimit }, addMatch) {
        ibanStart.lastIndex = 0
        for (
          let match = ibanStart.exec(text);
          match !== null && match.index < startLimit;
          match = ibanStart.exec(text)
        ) {
          const length = lengthByCountry.get(match[0].slice(0, 2).toUpperCase())
          const to = length === undefined ? 0 : ibanEnd(text, match.index, length)
          if (to > 0 && hasCheckDigits(text.slice(match.index, to))) {
            addMatch(match.index, to)
            ibanStart.lastIndex = to
          }
        }
      },
    },
  ],
}

const ibanStart = /(?<![A-Za-z\d])[A-Za-z]{2}\d{2}/g

/** The countries and the numbers of characters in SWIFT's IBAN registry, release 99. */
const registry =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 ' +
  'FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 ' +
  'LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
  'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
const lengthByCountry: ReadonlyMap<string, number> = new Map(
  registry.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/**
 * Returns the position after `length` letters and digits, with at most one blank or hyphen between two of them; 0 if fewer or more are
 * adjacent.
 */
function ibanEnd(text: string, from: number, length: number): number {
  let at = from
  for (let count = 0; count < length; at++) {
    if (isAlphanumeric(text.charCodeAt(at))) count++
    else if (!/[ \u00a0\u202f-]/.test(text[at] ?? '') || !isAlphanumeric(text.charCodeAt(at + 1))) return 0
  }
  return isAlphanumeric(text.charCodeAt(at)) ? 0 : at
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/**
 * Returns whether the check digits are correct (ISO 7064): the number, with the country and check digits moved to the end and each letter
 * replaced by two digits, must be 1 modulo 97.
 */
function hasCheckDigits(ibanText: string): boolean {
  const text = ibanText.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
  let remainder = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt((index + 4) % text.length)
    remainder = code > 57 ? (remainder * 100 + code - 55) % 97 : (remainder * 10 + code - 48) % 97
  }
  return remainder === 1
}
