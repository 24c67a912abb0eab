import type { PatternPreset } from './text-pattern.ts'

/**
 * Social security numbers of the United States: three, two and four digits with the same separator between them (hyphen, blank or dot),
 * with issued areas, groups and serial numbers. Nine contiguous digits are not matched.
 */
export const ssn: PatternPreset = {
  least: 11,
  longest: 13,
  finders: [
    {
      anchor: {
        at: String.raw`\- .\u00a0`,
        where: String.raw`(?<=(?<!\d)\d{3}.)\d{2}[- .\u00a0]\d{4}(?!\d)`,
        least: 11,
      },
      find({ text, end }, take) {
        number.lastIndex = 0
        for (let found = number.exec(text); found !== null && found.index < end; found = number.exec(text))
          take(found.index, number.lastIndex)
      },
    },
  ],
}

/** Areas 000, 666 and 900 to 999, group 00 and serial number 0000 are never issued (SSA, RM 10201.035). */
const number = /(?<![\w.-]|[\d$€£] )(?!000|666|9\d\d)\d{3}([- .\u00a0])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-]|[. ]\d)/g
