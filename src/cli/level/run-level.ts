import { painter } from '../../encode/pretty/colors.ts'
import { decideColor, type ColorChoice } from '../terminal/decide-color.ts'
import { isTerminal } from '../terminal/is-terminal.ts'
import { writeAll } from '../terminal/write-pieces.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import { levelCommand } from './level-arguments.ts'
import { levelText } from './level-text.ts'
import { sendLevelCommand } from './send-level-command.ts'

const standardOutput = 1

/**
 * Runs `sluice level`, and returns the exit code.
 *
 * @throws UsageError if the arguments are invalid, or the process does not accept the change.
 */
export async function runLevelCommand(parsed: ParsedArguments): Promise<number> {
  const reply = await sendLevelCommand(levelCommand(parsed, process.env))
  const isShown = isTerminal(standardOutput)
  const columns = isShown ? process.stdout.columns || 80 : Infinity
  const { options } = parsed
  // The option table lists the values.
  const paint = painter(decideColor((options.value('color') ?? 'auto') as ColorChoice, isShown, process.env))
  const text = options.value('output') === 'json' ? jsonText(reply) : levelText(reply, columns, paint)
  const bytes = Buffer.from(text)
  writeAll(standardOutput, bytes, bytes.length)
  return 0
}

/** Characters that JSON does not escape, and that control a terminal or the direction of text. */
const unsafeCharacters = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu

function jsonText(value: object): string {
  const text = JSON.stringify(value, undefined, 2)
  return `${text.replace(unsafeCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
