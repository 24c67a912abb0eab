import { fstatSync, statSync } from 'node:fs'
import { plainDevice, terminalDevice } from '../../platform/node/terminal.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { loadOutput } from '../../output/load-output.ts'
import type { Output } from '../../output/output.ts'
import { decideColor } from '../terminal/decide-color.ts'
import { openTextWriter } from '../terminal/open-text-writer.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import type { ViewOptions } from './view-options.ts'
import { isTerminal } from '../terminal/is-terminal.ts'

const standardOutput = 1

/** Opens the standard output or the pager. When it cannot be written any longer, the process exits. */
export function openWriter({ usesPager, files }: ViewOptions, diagnostics: Diagnostics): TextWriter {
  return openTextWriter({
    usesPager,
    isLive: files.some(isLive),
    environment: process.env,
    onPagerMissing: (pager) => diagnostics.note(`the pager could not be started: ${pager}`),
    onClosed(error) {
      // A reader such as `head` that has closed the pipe has what it needs.
      if (error !== undefined) {
        diagnostics.error(`standard output: ${error instanceof Error ? error.message : 'it cannot be written'}`)
      }
      process.exit(diagnostics.hasErrors ? 2 : 0)
    },
  })
}

/** Creates the output of the format that the options select. */
export function openOutput(options: ViewOptions, writer: TextWriter): Promise<Output> {
  const isShown = isTerminal(standardOutput)
  return loadOutput({
    format: options.format,
    writer,
    device: isShown ? terminalDevice(standardOutput) : plainDevice(),
    isTerminal: isShown,
    usesColors: decideColor(options.color, isShown, process.env),
    files: options.files,
    isSorted: options.isSorted,
    showKeys: options.showKeys,
    hideKeys: options.hideKeys,
    time: options.time,
    redact: options.redact,
  })
}

/** Returns whether a program may still be writing the input. */
function isLive(file: string): boolean {
  try {
    return !(file === '-' ? fstatSync(0) : statSync(file)).isFile()
  } catch {
    return false // Reading it reports the error.
  }
}
