import type { PatternPreset } from './text-pattern.ts'

/**
 * Social security numbers of the United States: three, two and four digits with the same separator between them (hyphen, blank or dot),
 * with issued areas, groups and serial numbers. Nine contiguous digits are not matched.
 */
export const ssn: PatternPreset = {
  minTextLength: 11,
  lookaheadLength: 13,
  finders: [
    {
      anchor: {
        characters: String.raw`\- .\u00a0`,
        context: String.raw`(?<=(?<!\d)\d{3}.)\d{2}[- .\u00a0]\d{4}(?!\d)`,
        minTextLength: 11,
      },
      find({ text, startLimit }, addMatch) {
        ssnNumber.lastIndex = 0
        for (let match = ssnNumber.exec(text); match !== null && match.index < startLimit; match = ssnNumber.exec(text))
          addMatch(match.index, ssnNumber.lastIndex)
      },
    },
  ],
}

/** Areas 000, 666 and 900 to 999, group 00 and serial number 0000 are never issued (SSA, RM 10201.035). */
const ssnNumber = /(?<![\w.-]|[\d$€£] )(?!000|666|9\d\d)\d{3}([- .\u00a0])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-]|[. ]\d)/g
