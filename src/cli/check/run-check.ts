import { oneLine } from '../../options/one-line.ts'
import type { LineChunk } from '../../read/input/line-chunk.ts'
import type { CommandIo } from '../report/command-io.ts'
import { readFileRecords } from '../report/read-file-records.ts'
import type { CheckOptions } from './check-options.ts'
import { checkJson } from './check-json.ts'
import { CheckRun } from './check-run.ts'
import { checkText } from './check-text.ts'
import type { FileCheck } from './file-check.ts'

/**
 * Runs `sluice check`: reads the files and prints their problems.
 *
 * @returns the exit code: 0 without problems, 1 with problems, 2 if a file cannot be read to its end
 */
export async function runCheck(options: CheckOptions, io: CommandIo): Promise<number> {
  const run = new CheckRun(options.sequence)
  for (const file of options.files) await checkFile(run.addFile(file), options, io)
  io.out(options.output === 'json' ? checkJson(run) : checkText(run, io))
  if (run.files.some(({ unreadable }) => unreadable !== undefined)) return 2
  return run.isFine ? 0 : 1
}

async function checkFile(check: FileCheck, { input, fieldNames }: CheckOptions, io: CommandIo): Promise<void> {
  const end = new InputEnd()
  await readFileRecords(check.file, check, {
    input,
    fieldNames,
    onChunk: (chunk) => end.add(chunk),
    onUnreadable(message) {
      check.unreadable = message
      io.err(`${oneLine(check.file)}: ${message}`)
    },
  })
  if (end.isInsideLine && check.unreadable === undefined) check.addMissingNewline(end.line)
}

/** The end of an input: the number of its last line, and whether a newline ends that line. */
class InputEnd {
  /** Whether the last line has no newline. */
  isInsideLine = false
  /** The number of the last line. */
  line = 1

  add({ bytes, firstLine }: LineChunk): void {
    if (bytes.length === 0) return
    this.isInsideLine = bytes.at(-1) !== newline
    if (!this.isInsideLine) return
    this.line = firstLine
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) this.line++
  }
}

const newline = 0x0a
