import { fstatSync, statSync } from 'node:fs'
import { oneLine } from '../../options/one-line.ts'
import { plainDevice, terminalDevice } from '../../platform/node/terminal.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import { createOutput } from '../output/create-output.ts'
import type { Output } from '../output/output.ts'
import { decideColor } from '../terminal/decide-color.ts'
import { openTextWriter } from '../terminal/open-text-writer.ts'
import type { TextWriter } from '../terminal/text-writer.ts'
import { FilteringSink } from './filtering-sink.ts'
import { LastItems } from './last-items.ts'
import { MatchCounter } from './match-counter.ts'
import { readFiles } from './read-files.ts'
import { selectsAll } from './record-filter.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import { isReadTwice, showBatches } from './show-batches.ts'
import { viewOptions, type ViewOptions } from './view-options.ts'

const standardOutput = 1

/** Shows the records of the files, and returns the exit code. */
export async function runView(parsed: ParsedArguments): Promise<number> {
  const options = viewOptions(parsed)
  let hasFailed = false
  const report = (message: string): void => {
    hasFailed = true
    process.stderr.write(`sluice: ${oneLine(message)}\n`)
  }
  const writer = openTextWriter({
    usesPager: options.usesPager,
    isLive: options.files.some(isLive),
    environment: process.env,
    onClosed(error) {
      // A reader such as `head` that has closed the pipe has what it needs.
      if (error !== undefined)
        report(`standard output: ${error instanceof Error ? error.message : 'it cannot be written'}`)
      process.exit(hasFailed ? 2 : 0)
    },
  })
  const output = openOutput(options, writer)
  const matched = await show(options, output, writer, (file, message) => report(`${file} ${message}`))
  output.end()
  await writer.close()
  if (hasFailed) return 2
  return options.reportsMatches && matched === 0 ? 1 : 0
}

/** Shows the records, and returns the number of those that were selected. */
async function show(
  options: ViewOptions,
  output: Output,
  writer: TextWriter,
  onProblem: (file: string, message: string) => void,
): Promise<number> {
  const last = options.tail === undefined ? undefined : new LastItems(options.tail)
  const counter = new MatchCounter(last ?? output)
  const { sink, flush } = filtered(options, counter, writer)
  const reading = {
    ...options,
    sink,
    flush,
    onQuiet: () => output.flush(),
    isDone: () => writer.isClosed,
    onProblem,
  }
  await (isReadTwice(options) ? showBatches(options, reading) : readFiles(reading))
  last?.releaseTo(output)
  return counter.count
}

/** Returns the sink that passes selected records on. */
function filtered(
  { filter, before, after, format }: ViewOptions,
  sink: RecordSink,
  writer: TextWriter,
): { sink: RecordSink; flush: () => void } {
  if (selectsAll(filter)) return { sink, flush: () => {} }
  const separator = (): void => {
    if (format === 'pretty' || format === 'line') writer.write('--\n')
  }
  const filtering = new FilteringSink(filter, { sink, before, after, separator })
  return { sink: filtering, flush: () => filtering.flush() }
}

/** Returns whether a program may still be writing the input. */
function isLive(file: string): boolean {
  try {
    return !(file === '-' ? fstatSync(0) : statSync(file)).isFile()
  } catch {
    return false // Reading it reports the error.
  }
}

function openOutput(options: ViewOptions, writer: TextWriter): Output {
  const isTerminal = process.stdout.isTTY
  return createOutput({
    format: options.format,
    writer,
    device: isTerminal ? terminalDevice(standardOutput) : plainDevice(),
    isTerminal,
    usesColors: decideColor(options.color, isTerminal, process.env),
    files: options.files,
    showKeys: options.showKeys,
    hideKeys: options.hideKeys,
    time: options.time,
    redact: options.redact,
  })
}
