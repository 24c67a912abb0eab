import type { PatternPreset } from './text-pattern.ts'

/**
 * Telephone numbers: international numbers that begin with `+` and a country code (ITU-T E.164), contiguous or in groups, and North
 * American numbers in groups of three, three and four digits. National numbers of other countries are not matched.
 */
export const phone: PatternPreset = {
  least: 8,
  longest: 48,
  finders: [
    {
      anchor: { at: '+', where: String.raw`(?<=\+)[1-9](?:[ .()\u00a0-]{0,3}\d){6}`, least: 8 },
      find({ text, end }, take) {
        international.lastIndex = 0
        for (
          let found = international.exec(text);
          found !== null && found.index < end;
          found = international.exec(text)
        ) {
          const digits = found[0].replaceAll(/\D/g, '').length
          if (digits >= fewest && digits <= most) take(found.index, international.lastIndex)
        }
      },
    },
    {
      anchor: {
        at: String.raw`().\- \u00a0`,
        where: String.raw`(?<=[2-9]\d{2}[).\- \u00a0]) ?[2-9]\d{2}[.\- \u00a0]\d{4}(?!\d)`,
        least: 12,
      },
      find({ text, end }, take) {
        northAmerican.lastIndex = 0
        for (
          let found = northAmerican.exec(text);
          found !== null && found.index < end;
          found = northAmerican.exec(text)
        )
          take(found.index, northAmerican.lastIndex)
      },
    },
  ],
}

// The number of digits of an international number, including the country code.
const fewest = 8
const most = 15

/** The assigned country codes (ITU, list of Recommendation E.164). */
const country =
  '(?:1|7|2(?:0|7|[1-689]\\d)|3(?:[0-469]|[578]\\d)|4(?:[013-9]|2\\d)|5(?:[1-8]|[09]\\d)|6(?:[0-6]|[7-9]\\d)|8(?:[1246]|[0578]\\d)|9(?:[0-58]|[679]\\d))'
const international = new RegExp(
  String.raw`(?<![\w.+])\+${country}(?:[ .\u00a0-]?\(\d{1,5}\))?(?:[ .\u00a0-]{0,2}\d){5,13}(?!\w|[.]\d)`,
  'g',
)
/** A North American number. The first digit of an area code and of an exchange code is 2 to 9 (NANPA). */
const northAmerican =
  /(?<![\w.-]|\d )(?:1[ .\u00a0-])?(?:\([2-9]\d{2}\)[ \u00a0-]?[2-9]\d{2}[ .\u00a0-]|[2-9]\d{2}([ .\u00a0-])[2-9]\d{2}\1)\d{4}(?![\w-]|\.\d)/g
