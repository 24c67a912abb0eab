/**
 * Control sequences for colors (SGR; ECMA-48, section 8.3.117). They are readable on light and dark backgrounds: no text is black or white, because these are
 * colors of backgrounds, and the reversed text has the color of the background.
 */
export const sgr = {
  bold: '\u001b[1m',
  dim: '\u001b[2m',
  red: '\u001b[31m',
  green: '\u001b[32m',
  yellow: '\u001b[33m',
  blue: '\u001b[34m',
  magenta: '\u001b[35m',
  cyan: '\u001b[36m',
  redBold: '\u001b[1;31m',
  magentaBold: '\u001b[1;35m',
  cyanBold: '\u001b[1;36m',
  yellowBold: '\u001b[1;33m',
  redReversed: '\u001b[1;31;7m',
} as const

/** Adds a color of `sgr` to a text, or returns the text unchanged if the output has no colors. */
export type Paint = (color: string, text: string) => string

/** Returns the function that colors text. */
export function painter(usesColors: boolean): Paint {
  return usesColors ? (color, text) => color + text + reset : (_color, text) => text
}

const reset = '\u001b[0m'
