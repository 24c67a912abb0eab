import type { PatternPreset } from './text-pattern.ts'

/**
 * Telephone numbers: international numbers that begin with `+` and a country code (ITU-T E.164), contiguous or in groups, and North
 * American numbers in groups of three, three and four digits. National numbers of other countries are not matched.
 */
export const phone: PatternPreset = {
  minTextLength: 8,
  lookaheadLength: 48,
  finders: [
    {
      anchor: { characters: '+', context: String.raw`(?<=\+)[1-9](?:[ .()\u00a0-]{0,3}\d){6}`, minTextLength: 8 },
      find({ text, startLimit }, addMatch) {
        international.lastIndex = 0
        for (
          let match = international.exec(text);
          match !== null && match.index < startLimit;
          match = international.exec(text)
        ) {
          const digitCount = match[0].replaceAll(/\D/g, '').length
          if (digitCount >= minDigits && digitCount <= maxDigits) addMatch(match.index, international.lastIndex)
        }
      },
    },
    {
      anchor: {
        characters: String.raw`().\- \u00a0`,
        context: String.raw`(?<=[2-9]\d{2}[).\- \u00a0]) ?[2-9]\d{2}[.\- \u00a0]\d{4}(?!\d)`,
        minTextLength: 12,
      },
      find({ text, startLimit }, addMatch) {
        northAmerican.lastIndex = 0
        for (
          let match = northAmerican.exec(text);
          match !== null && match.index < startLimit;
          match = northAmerican.exec(text)
        )
          addMatch(match.index, northAmerican.lastIndex)
      },
    },
  ],
}

// The number of digits of an international number, including the country code.
const minDigits = 8
const maxDigits = 15

/** The assigned country codes (ITU, list of Recommendation E.164). */
const countryCode =
  '(?:1|7|2(?:0|7|[1-689]\\d)|3(?:[0-469]|[578]\\d)|4(?:[013-9]|2\\d)|5(?:[1-8]|[09]\\d)|6(?:[0-6]|[7-9]\\d)|8(?:[1246]|[0578]\\d)|9(?:[0-58]|[679]\\d))'
const international = new RegExp(
  String.raw`(?<![\w.+])\+${countryCode}(?:[ .\u00a0-]?\(\d{1,5}\))?(?:[ .\u00a0-]{0,2}\d){5,13}(?!\w|[.]\d)`,
  'g',
)
/** A North American number. The first digit of an area code and of an exchange code is 2 to 9 (NANPA). */
const northAmerican =
  /(?<![\w.-]|\d )(?:1[ .\u00a0-])?(?:\([2-9]\d{2}\)[ \u00a0-]?[2-9]\d{2}[ .\u00a0-]|[2-9]\d{2}([ .\u00a0-])[2-9]\d{2}\1)\d{4}(?![\w-]|\.\d)/g
