import type { RecordSink } from '../../read/lines/record-sink.ts'
import { Diagnostics } from '../diagnostics.ts'
import type { ParsedArguments } from '../options/parse-arguments.ts'
import type { Output } from '../../output/output.ts'
import type { TextWriter } from '../../output/text-writer.ts'
import type { FilteringSink, FilteringTarget } from './filtering-sink.ts'
import { filesExceptDirectories } from './files-except-directories.ts'
import { filesExceptOutput } from './files-except-output.ts'
import { LastItems } from './last-items.ts'
import { MatchCounter } from './match-counter.ts'
import { openOutput, openWriter } from './open-output.ts'
import { readFiles, type FileReading } from './read-files.ts'
import type { RecordFilter } from './record-filter.ts'
import { viewOptions, type ViewOptions } from './view-options.ts'

/** The exit code of a program that Ctrl-C has ended: 128 and the number of the signal. */
const interruptedCode = 130

/** Shows the records of the files, and returns the exit code. */
export async function runView(parsed: ParsedArguments): Promise<number> {
  const given = await viewOptions(parsed)
  const diagnostics = new Diagnostics()
  const readable = filesExceptOutput(given.files, (file) =>
    diagnostics.error(`${file}: it is also the output, so it is not read`),
  )
  const files = given.isFollowed ? filesExceptDirectories(readable, diagnostics) : readable
  const options = { ...given, files }
  const writer = openWriter(options, diagnostics)
  const output = await openOutput(options, writer)
  try {
    const { matched, wasInterrupted } = await new View(options, output, writer, diagnostics).show()
    if (matched === 0 && !wasInterrupted) await explainNoMatch(options, diagnostics)
    if (diagnostics.hasErrors) return 2
    if (wasInterrupted) return interruptedCode
    return options.reportsMatches && matched === 0 ? 1 : 0
  } finally {
    // Also show the records that were read before an error.
    output.end()
    await writer.close()
  }
}

/** Prints what is wrong with the options if nothing can match them. */
async function explainNoMatch(
  { query, since = -Infinity, ...reading }: ViewOptions,
  diagnostics: Diagnostics,
): Promise<void> {
  if (since > Date.now()) diagnostics.note(`--since is in the future: ${new Date(since).toISOString()}`)
  if (query === undefined) return
  const { noMatchHints } = await import('./no-match-hints.ts')
  for (const hint of await noMatchHints(query, reading)) diagnostics.note(hint)
}

/** Reads records, selects some of them, and passes them to an output. */
class View {
  readonly #options: ViewOptions
  readonly #output: Output
  readonly #writer: TextWriter
  readonly #diagnostics: Diagnostics

  constructor(options: ViewOptions, output: Output, writer: TextWriter, diagnostics: Diagnostics) {
    this.#options = options
    this.#output = output
    this.#writer = writer
    this.#diagnostics = diagnostics
  }

  /** Returns the number of selected records, and whether Ctrl-C has ended following. */
  async show(): Promise<{ readonly matched: number; readonly wasInterrupted: boolean }> {
    const { tail, isFollowed, isSorted, traceOf } = this.#options
    // With --follow, the files are read from one of their last lines on.
    const last = tail === undefined || isFollowed ? undefined : new LastItems(tail)
    const counter = new MatchCounter(last ?? this.#output)
    const reading = await this.#reading(counter, last !== undefined)
    let wasInterrupted = false
    if (isFollowed) wasInterrupted = await this.#follow(reading)
    else if (isSorted || traceOf !== undefined) {
      const { showBatches } = await import('./show-batches.ts')
      await showBatches(this.#options, reading)
    } else if (last === undefined || !(await this.#readEnd(reading, last))) await readFiles(reading)
    last?.releaseTo(this.#output)
    return { matched: counter.count, wasInterrupted }
  }

  /** Returns whether the last records were found at the end of the file. */
  async #readEnd(reading: FileReading, last: LastItems): Promise<boolean> {
    const { tail, before, after } = this.#options
    // Context and separators depend on the records before.
    if (tail === 0 || before + after > 0) return false
    const { readLastRecords } = await import('./read-last-records.ts')
    return readLastRecords(reading, last)
  }

  async #reading(sink: RecordSink, keepsRecords: boolean): Promise<FileReading> {
    const { filter, before, after, format } = this.#options
    const hasContext = before + after > 0
    const selecting = await filteringSink(filter, { sink, before, after, separator: () => this.#writeSeparator() })
    return {
      ...this.#options,
      sink: selecting ?? sink,
      needed: hasContext ? undefined : filter.needed,
      keepsRecords: keepsRecords || hasContext || format === 'otlp',
      flush: () => selecting?.flush(),
      onFileEnd: () => selecting?.endInput(),
      onQuiet: () => this.#output.flush(),
      isDone: () => this.#writer.isClosed,
      onInputError: (file, message) => this.#diagnostics.error(`${file}: ${message}`),
    }
  }

  async #follow(reading: FileReading): Promise<boolean> {
    const interruption = new AbortController()
    const interrupt = (): void => interruption.abort()
    // A second Ctrl-C ends the process at once.
    process.once('SIGINT', interrupt)
    try {
      const { tail, syncWindowMillis } = this.#options
      const onEvent = (file: string, message: string): void => this.#diagnostics.note(`${file}: ${message}`)
      const { followFiles } = await import('./follow-files.ts')
      await followFiles({ ...reading, tail, syncWindowMillis, onEvent, signal: interruption.signal })
    } finally {
      process.off('SIGINT', interrupt)
    }
    return interruption.signal.aborted
  }

  /** Writes a line between groups of records that are not adjacent, as grep does, in the formats for reading. */
  #writeSeparator(): void {
    const { format } = this.#options
    if (format === 'pretty' || format === 'line') this.#writer.write('--\n')
  }
}

/** Returns the sink that selects records; undefined if all are selected. */
async function filteringSink(filter: RecordFilter, target: FilteringTarget): Promise<FilteringSink | undefined> {
  if (filter.tests.length === 0 && filter.query === undefined) return undefined
  const { FilteringSink } = await import('./filtering-sink.ts')
  return new FilteringSink(filter, target)
}
