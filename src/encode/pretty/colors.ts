/**
 * SGR codes (ECMA-48, section 8.3.117). They are readable on light and dark backgrounds: no text is black or white, because these are
 * colors of backgrounds, and the reversed text has the color of the background.
 */
export const sgr = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  cyan: '36',
  redBold: '1;31',
  yellowBold: '1;33',
  redReversed: '1;31;7',
} as const

/** Adds an SGR code to a text, or returns the text unchanged if the output has no colors. */
export type Paint = (code: string, text: string) => string

/** Returns the function that colors text. */
export function painter(usesColors: boolean): Paint {
  return usesColors ? (code, text) => `\u001b[${code}m${text}\u001b[0m` : (_code, text) => text
}
